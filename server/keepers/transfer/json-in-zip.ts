import { totalmem } from 'node:os'
import { Problem } from '#server/http/problem.ts'
import type { ZipReader } from './zip-reader.ts'

const mebibyte = 1024 * 1024
const mostBytes = 400 * mebibyte
/**
 * A comma or bracket of JSON stands for a value, which takes about 20 bytes once it is parsed and as much again once it
 * is checked (measured on lists of empty lists and on archives).
 */
const bytesOfMark = 40
/**
 * The text is in memory twice, as a whole and in its values. V8 takes a byte for a character, or two for each as soon as one
 * is not of Latin 1. It does not always survive a thread that takes too much, so this errs on the safe side.
 */
const bytesOfByte = { latin: 2, other: 4 }
/** The first byte of a character that is not of Latin 1, in UTF-8, is this or higher. */
const firstOther = 0xc4
const isMark = new Uint8Array(256)
for (const mark of ',:[{') isMark[mark.charCodeAt(0)] = 1

/** Megabytes that the thread which reads an archive may take. */
export const mostMegabytes = Math.floor(Math.min(3072, totalmem() / 4 / mebibyte))
const mostHeapBytes = mostMegabytes * mebibyte * 0.75

/**
 * What stands in a file of a zip.
 * @throws Problem 422 when it is no JSON, or would take more than there is: a small zip may hold a hundred million values
 */
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
      const message = `${name} in this zip holds more than can be read at once here. Take out fewer keepers or journals at a time.`
      throw new Problem('unprocessable', { message })
    }
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('unprocessable', { message: `${name} in this zip is no JSON.`, cause: error })
  }
}
