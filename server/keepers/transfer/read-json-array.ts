import { JSONParser } from '@streamparser/json'
import { Problem } from '#server/http/problem.ts'
import type { ZipReader } from './zip-reader.ts'

/** Tokens of one element: a value takes about 40 bytes, so a small zip can't fill the memory of the thread. */
const maxTokensPerElement = 500_000
const maxElementBytes = 32 * 1024 * 1024

/** Yields the elements of an array in a JSON file one by one, so that a file of any length can be read.
 * @param path such as `$.entries.*`, or `$.*` for an array at the top
 * @throws Problem 422 for invalid JSON or an element that is too large */
export async function* readJsonArray(
  zip: ZipReader,
  name: string,
  path: string,
  maxTokens = maxTokensPerElement,
): AsyncGenerator<unknown> {
  for await (const { value } of readJsonValues(await zip.openStream(name), name, [path], maxTokens)) yield value
}

export interface JsonValue {
  /** Object keys and array indexes that lead to the value. */
  keys: (string | number)[]
  value: unknown
}

/** Yields the values at any of the paths, in the order of the file. Other values are only skipped.
 * @throws Problem 422 for invalid JSON or a value that is too large */
export async function* readJsonValues(
  source: AsyncIterable<Buffer>,
  name: string,
  paths: string[],
  maxTokens = maxTokensPerElement,
): AsyncGenerator<JsonValue> {
  const ready: JsonValue[] = []
  let tokens = 0
  let bytes = 0
  const parser = new JSONParser({ paths, keepStack: false, stringBufferSize: 64 * 1024 })
  parser.onToken = () => {
    tokens += 1
    if (tokens > maxTokens) throw new TooLarge()
  }
  parser.onValue = ({ value, key, stack }) => {
    ready.push({ keys: [...stack.slice(1).map((level) => level.key ?? ''), key ?? ''], value })
    tokens = 0
    bytes = 0
  }
  try {
    for await (const chunk of source) {
      bytes += chunk.length
      if (bytes > maxElementBytes) throw new TooLarge()
      parser.write(chunk)
      yield* ready.splice(0)
    }
  } catch (error) {
    const message =
      error instanceof TooLarge
        ? `${name} in this zip has an entry that is too large to read.`
        : `${name} in this zip isn’t valid JSON, or it’s damaged.`
    throw new Problem('unprocessable', { message, cause: error })
  }
  yield* ready
  if (!parser.isEnded)
    throw new Problem('unprocessable', { message: `${name} in this zip ends too early. Export it again.` })
}

class TooLarge extends Error {}
