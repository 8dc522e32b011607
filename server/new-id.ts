import { randomFillSync } from 'node:crypto'

const idBytes = 16
const timeBytes = 6
const pool = Buffer.alloc(idBytes * 256)
let next = pool.length

/** 128 random bits as 32 hexadecimal characters, for what names something that must not be guessed. */
export function newUnguessableId(): string {
  const start = draw()
  return pool.toString('hex', start, start + idBytes)
}

/**
 * 32 hexadecimal characters: 48 bits of `now` (milliseconds), then 80 random bits. Ids of one time lie side by side in every
 * index, so that a commit writes few pages (decision 0014). Two of one day begin alike: a short form takes the end.
 */
export function newId(now: number): string {
  const start = draw()
  pool.writeUIntBE(Math.max(0, now), start, timeBytes)
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
