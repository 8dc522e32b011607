import { randomFillSync } from 'node:crypto'

const idBytes = 16
const timeBytes = 6
const sequenceBytes = 2
const randomPool = Buffer.alloc(idBytes * 256)
let nextOffset = randomPool.length
let latestTime = 0
let sequence = 0

export function newUnguessableId(): string {
  const start = takeRandomBytes()
  return randomPool.toString('hex', start, start + idBytes)
}

/**
 * 48 bits of `now` (ms), a 16-bit counter, 64 random bits: sorted by creation (decision 0014). Shorten an id by keeping
 * its end, which is random.
 */
export function newId(now: number): string {
  const start = takeRandomBytes()
  sequence = now === latestTime ? (sequence + 1) & 0xffff : 0
  latestTime = now
  randomPool.writeUIntBE(Math.max(0, now), start, timeBytes)
  randomPool.writeUIntBE(sequence, start + timeBytes, sequenceBytes)
  return randomPool.toString('hex', start, start + idBytes)
}

/** Random bytes are drawn in bulk: one system call per id would dominate a request. */
function takeRandomBytes(): number {
  if (nextOffset === randomPool.length) {
    randomFillSync(randomPool)
    nextOffset = 0
  }
  nextOffset += idBytes
  return nextOffset - idBytes
}
