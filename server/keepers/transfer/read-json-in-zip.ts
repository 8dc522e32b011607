import { totalmem } from 'node:os'
import { Problem } from '#server/http/problem.ts'
import type { ZipReader } from './zip-reader.ts'

const mebibyte = 1024 * 1024
const maxJsonBytes = 400 * mebibyte
/** Estimate per comma or bracket: a value takes about 20 bytes when parsed and 20 more when validated (measured). */
const bytesPerValue = 40
/**
 * The text is in memory twice; V8 uses one byte per Latin-1 character, else two. The estimate is high on purpose,
 * because a thread without memory can crash.
 */
const bytesPerTextByte = { latin: 2, other: 4 }
/** UTF-8 lead bytes of characters beyond Latin-1 start here. */
const firstNonLatinByte = 0xc4
const isValueStart = new Uint8Array(256)
for (const character of ',:[{') isValueStart[character.charCodeAt(0)] = 1

/** Memory limit of the container, which can be lower than the machine's; 0: no limit. */
const availableBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
export const maxHeapMegabytes = Math.floor(Math.min(3072, availableBytes / 4 / mebibyte))
const maxHeapBytes = maxHeapMegabytes * mebibyte * 0.75

/** @throws Problem 422 for invalid JSON, or when parsing would exceed the memory: a small zip can hold 100M values */
export async function readJsonInZip(zip: ZipReader, name: string): Promise<unknown> {
  const totals = { bytes: 0, marks: 0 }
  let textFactor = bytesPerTextByte.latin
  const text = await zip.readText(name, maxJsonBytes, (chunk) => {
    totals.bytes += chunk.length
    for (const byte of chunk) {
      totals.marks += isValueStart[byte] ?? 0
      if (byte >= firstNonLatinByte) textFactor = bytesPerTextByte.other
    }
    if (totals.bytes * textFactor + totals.marks * bytesPerValue > maxHeapBytes) {
      const message = `${name} in this zip is too large to read in one go. Export fewer keepers or journals at a time.`
      throw new Problem('unprocessable', { message })
    }
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('unprocessable', { message: `${name} in this zip isn’t valid JSON.`, cause: error })
  }
}
