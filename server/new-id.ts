import { randomFillSync } from 'node:crypto'

const idBytes = 16
const timeBytes = 6
const sequenceBytes = 2
const pool = Buffer.alloc(idBytes * 256)
let next = pool.length
let latest = 0
let sequence = 0

/** 128 random bits as 32 hexadecimal characters, for what names something that must not be guessed. */
export function newUnguessableId(): string {
  const start = draw()
  return pool.toString('hex', start, start + idBytes)
}

/**
 * 32 hexadecimal characters: 48 bits of `now` (milliseconds), 16 that count the ids of that millisecond, 64 random ones. Ids
 * of one time lie side by side in every index, so that a commit writes few pages (decision 0014), and those of one process
 * are in the order they were made in: what happens in one millisecond is told in its order too. Two of one day begin alike:
 * a short form takes the end.
 */
export function newId(now: number): string {
  const start = draw()
  sequence = now === latest ? (sequence + 1) & 0xffff : 0
  latest = now
  pool.writeUIntBE(Math.max(0, now), start, timeBytes)
  pool.writeUIntBE(sequence, start + timeBytes, sequenceBytes)
  return pool.toString('hex', start, start + idBytes)
}

/** Drawn in bulk: asking the system for each costs more than the rest of an answer. */
function draw(): number {
  if (next === pool.length) {
    randomFillSync(pool)
    next = 0
  }
  next += idBytes
  return next - idBytes
}
