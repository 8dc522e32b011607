import { randomFillSync } from 'node:crypto'

const idBytes = 16
const pool = Buffer.alloc(idBytes * 256)
let next = pool.length

/** 128 random bits as 32 hexadecimal characters. Drawn in bulk: asking the system for each costs more than the rest of an answer. */
export function newId(): string {
  if (next === pool.length) {
    randomFillSync(pool)
    next = 0
  }
  next += idBytes
  return pool.toString('hex', next - idBytes, next)
}
