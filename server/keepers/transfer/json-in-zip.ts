import { totalmem } from 'node:os'
import { Problem } from '#server/http/problem.ts'
import type { ZipReader } from './zip-reader.ts'

const mebibyte = 1024 * 1024
const mostBytes = 400 * mebibyte
/** A comma or bracket stands for a value of about 20 bytes parsed and 20 more validated (measured). */
const bytesOfMark = 40
/** Text is in memory twice. V8 uses one byte per Latin-1 character, else two. Errs high: an exhausted thread may
 * crash. */
const bytesOfByte = { latin: 2, other: 4 }
/** UTF-8 lead bytes of characters beyond Latin-1 start here. */
const firstOther = 0xc4
const isMark = new Uint8Array(256)
for (const mark of ',:[{') isMark[mark.charCodeAt(0)] = 1

/** Memory limit of the thread that reads an archive. */
export const mostMegabytes = Math.floor(Math.min(3072, totalmem() / 4 / mebibyte))
const mostHeapBytes = mostMegabytes * mebibyte * 0.75

/** @throws Problem 422 for invalid JSON, or when parsing would exceed the memory: a small zip can hold 100M values */
export async function jsonIn(zip: ZipReader, name: string): Promise<unknown> {
  const seen = { bytes: 0, marks: 0 }
  let each = bytesOfByte.latin
  const text = await zip.text(name, mostBytes, (piece) => {
    seen.bytes += piece.length
    for (const byte of piece) {
      seen.marks += isMark[byte] ?? 0
      if (byte >= firstOther) each = bytesOfByte.other
    }
    if (seen.bytes * each + seen.marks * bytesOfMark > mostHeapBytes) {
      const message = `${name} in this zip is too large to read in one go. Export fewer keepers or journals at a time.`
      throw new Problem('unprocessable', { message })
    }
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('unprocessable', { message: `${name} in this zip isn't valid JSON.`, cause: error })
  }
}
