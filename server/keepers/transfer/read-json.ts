import { totalmem } from 'node:os'
import { JSONParser } from '@streamparser/json'
import { Problem } from '#server/http/problem.ts'
import type { ZipReader } from './zip-reader.ts'

/** Without a limit a small zip could fill the thread's memory, at about 40 bytes a value. */
const maxTokensPerElement = 500_000
const maxElementBytes = 32 * 1024 * 1024

/** Object keys and array indexes that lead to a value. */
export type JsonKeys = (string | number)[]

export interface JsonValue {
  keys: JsonKeys
  value: unknown
}

interface JsonReadOptions {
  maxTokens?: number
  decode?: (bytes: AsyncIterable<Buffer>) => AsyncIterable<Buffer>
  includes?: ((keys: JsonKeys) => boolean) | undefined
}

/**
 * Yields the values at any of the paths, in the order of the file, so that a file of any length can be read.
 * @param paths such as `$.entries.*`, or `$.*` for an array at the top
 * @throws Problem 422 for invalid JSON or a value that is too large
 */
export async function* readJsonValues(
  zip: ZipReader,
  name: string,
  paths: string[],
  { maxTokens = maxTokensPerElement, decode = (bytes) => bytes, includes = () => true }: JsonReadOptions = {},
): AsyncGenerator<JsonValue> {
  const source = decode(await zip.openStream(name))
  const parsedValues: JsonValue[] = []
  let tokenCount = 0
  let byteCount = 0
  const parser = new JSONParser({ paths, keepStack: false, stringBufferSize: 64 * 1024 })
  parser.onToken = () => {
    tokenCount += 1
    if (tokenCount > maxTokens) throw new TooLarge()
  }
  parser.onValue = ({ value, key, stack }) => {
    const keys = [...stack.slice(1).map((level) => level.key ?? ''), key ?? '']
    if (includes(keys)) parsedValues.push({ keys, value })
    tokenCount = 0
    byteCount = 0
  }
  try {
    for await (const chunk of source) {
      byteCount += chunk.length
      if (byteCount > maxElementBytes) throw new TooLarge()
      parser.write(chunk)
      yield* parsedValues.splice(0)
    }
  } catch (error) {
    const message =
      error instanceof TooLarge
        ? `${name} in this zip has an entry that is too large to read.`
        : `${name} in this zip isn’t valid JSON, or it’s damaged.`
    throw new Problem('unprocessable', { message, cause: error })
  }
  yield* parsedValues
  if (!parser.isEnded)
    throw new Problem('unprocessable', { message: `${name} in this zip ends too early. Export it again.` })
}

class TooLarge extends Error {}

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

/** `constrainedMemory` is the container's limit; 0: no limit. */
const availableBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
export const maxHeapMegabytes = Math.floor(Math.min(3072, availableBytes / 4 / mebibyte))
const parsingHeapShare = 0.75
const maxParsingBytes = maxHeapMegabytes * mebibyte * parsingHeapShare

/** @throws Problem 422 for invalid JSON, or when parsing would exceed the memory: a small zip can hold 100M values */
export async function readJsonInZip(zip: ZipReader, name: string): Promise<unknown> {
  const totals = { bytes: 0, values: 0 }
  let textFactor = bytesPerTextByte.latin
  const text = await zip.readText(name, maxJsonBytes, (chunk) => {
    totals.bytes += chunk.length
    for (const byte of chunk) {
      totals.values += isValueStart[byte] ?? 0
      if (byte >= firstNonLatinByte) textFactor = bytesPerTextByte.other
    }
    if (totals.bytes * textFactor + totals.values * bytesPerValue > maxParsingBytes) {
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
