import { randomFillSync } from 'node:crypto'

const idBytes = 16
const timeBytes = 6
const sequenceBytes = 2
const pool = Buffer.alloc(idBytes * 256)
let next = pool.length
let latest = 0
let sequence = 0

export function newUnguessableId(): string {
  const start = drawBytes()
  return pool.toString('hex', start, start + idBytes)
}

/** 48 bits of `now` (ms), a 16-bit counter, 64 random bits: sorted by creation (decision 0014). A short form takes the end. */
export function newId(now: number): string {
  const start = drawBytes()
  sequence = now === latest ? (sequence + 1) & 0xffff : 0
  latest = now
  pool.writeUIntBE(Math.max(0, now), start, timeBytes)
  pool.writeUIntBE(sequence, start + timeBytes, sequenceBytes)
  return pool.toString('hex', start, start + idBytes)
}

/** Random bytes are drawn in bulk: one system call per id would dominate a request. */
function drawBytes(): number {
  if (next === pool.length) {
    randomFillSync(pool)
    next = 0
  }
  next += idBytes
  return next - idBytes
}
