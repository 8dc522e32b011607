import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { badField, Problem } from './problem.ts'

export const deepest = 32
/** A body of JSON has come whole by then, whatever the connection. */
const arrivesWithinMs = 30_000
const mostKeys = 2000
/** List items and keys of one body together (docs/decisions/0025). */
const maxBodyValues = 50_000
/** Keys of one object, also where a body holds more: a wide object costs far more to parse than many narrow ones. */
const maxObjectKeys = 10_000
const byteOrderMark = 0xfeff
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/**
 * The JSON body of a request, held to limits while it is read: bytes, depth, number of keys, and text both
 * databases can keep (no NUL, no lone surrogates). An absent body is `{}`.
 * @param incoming the request as Node has it; absent when a test calls the app in process
 */
export async function readJsonBody(
  request: Request,
  incoming: IncomingMessage | undefined,
  { limitBytes, limitKeys = mostKeys }: { limitBytes: number; limitKeys?: number | undefined },
): Promise<unknown> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (declared > limitBytes) throw tooLarge(limitBytes)
  const bytes =
    declared > 0 && incoming
      ? (arrivedWhole(incoming, declared) ?? (await wholeOf(incoming, arrivesWithinMs)))
      : await inTime(readUpTo(request, limitBytes), arrivesWithinMs)
  if (bytes.byteLength > limitBytes) throw tooLarge(limitBytes)
  const isJson = (request.headers.get('content-type') ?? '').toLowerCase().startsWith('application/json')
  if (isJson) requireFewValues(bytes, limitKeys)
  const text = textOf(bytes)
  if (text.trim() === '') return {}
  if (!isJson) throw new Problem('wrong-content-type')
  return keepableJson(text, limitKeys)
}

/** The value of JSON that came as a file. @throws Problem 400 as a body does */
export function readJsonFile(bytes: Uint8Array, limitKeys: number): unknown {
  requireFewValues(bytes, limitKeys)
  return keepableJson(textOf(bytes), limitKeys)
}

export const nestsTooDeep = () => badField('body', `Nest the JSON at most ${deepest} levels deep.`)

function keepableJson(text: string, limitKeys: number): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw badField('body', 'The body is not valid JSON.')
  }
  assertKeepable(parsed, limitKeys)
  return parsed
}

/** @throws Problem 408 */
export async function inTime<T>(arriving: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Problem('request-timeout')), milliseconds)
  try {
    return await Promise.race([arriving, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * A body that had come by the time it is asked for, as most have that came with their headers and a token to look up: what the
 * connection has read is all of it. It needs neither the timer nor the
 * listeners of {@link wholeOf}, and leaves nothing of them to the collector (docs/decisions/0023).
 */
function arrivedWhole(incoming: IncomingMessage, declared: number): Uint8Array | null {
  if (incoming.readableLength !== declared || incoming.destroyed) return null
  const body: Buffer | null = incoming.read()
  // So that it ends, and the connection is known to have nothing of it left.
  incoming.resume()
  return body
}

/**
 * A body that says how long it is: Node gives that much and no more.
 * @throws Problem 408
 */
function wholeOf(incoming: IncomingMessage, milliseconds: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Problem('request-timeout')), milliseconds)
    // What goes wrong here is the connection, and that is the client's.
    const breakOff = () => {
      clearTimeout(late)
      reject(cutOff())
    }
    if (incoming.destroyed) breakOff()
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      clearTimeout(late)
      // The request lives as long as its answer, and the smallest piece of a body holds 64 kB of what was read with it.
      const [only, ...more] = chunks.splice(0)
      resolve(only && more.length === 0 ? only : Buffer.concat(only ? [only, ...more] : []))
    })
    incoming.on('error', breakOff)
    incoming.on('close', () => {
      if (!incoming.complete) breakOff()
    })
  })
}

/** A body that does not say how long it is may never end, so the reading stops at the limit. */
async function readUpTo(request: Request, limitBytes: number): Promise<Uint8Array> {
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  for (let bytes = 0; reader; ) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw cutOff(error)
    })
    if (done) break
    bytes += value.byteLength
    if (bytes > limitBytes) {
      void reader.cancel().catch(() => undefined)
      throw tooLarge(limitBytes)
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

const cutOff = (cause?: unknown) => badField('body', 'The body was cut off.', cause)

/** Bytes that are no UTF-8 would otherwise be kept as question marks that nobody wrote. */
function textOf(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw badField('body', 'The body is not valid UTF-8.')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
}

function tooLarge(limitBytes: number): Problem {
  const most = `This call takes at most ${Math.floor(limitBytes / 1024)} KB.`
  return new Problem('too-large', { message: `${most} Shorten what you send, or send it in parts.` })
}

const [space, quote, comma, openList, backslash, closeList, openObject, closeObject] = [
  32, 34, 44, 91, 92, 93, 123, 125,
]
/** Reused by every count, by depth. */
const keysLeft = new Int32Array(deepest + 1)

/**
 * Counts list items and keys in the bytes of a JSON text: decoding 32 MB takes longer than refusing them.
 * @throws Problem 400 also when it nests deeper than {@link deepest}, or one object has too many keys
 */
function requireFewValues(bytes: Uint8Array, limitKeys: number): void {
  const maxValues = Math.max(maxBodyValues, limitKeys)
  let depth = 0
  let values = 0
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index]
    if (code === quote) index = endOfText(bytes, index + 1)
    else if (code === comma) {
      values++
      const left = (keysLeft[depth] ?? 1) - 1
      if (left < 0) throw badField('body', 'Send at most 10,000 keys in one object.')
      keysLeft[depth] = left
    } else if (code === openObject || code === openList) {
      if (++depth > deepest) throw nestsTooDeep()
      keysLeft[depth] = code === openObject ? maxObjectKeys - 1 : maxValues
      while ((bytes[index + 1] ?? quote) <= space) index++
      const next = bytes[index + 1]
      if (next !== closeObject && next !== closeList) values++
    } else if (code === closeObject || code === closeList) depth--
    if (values > maxValues)
      throw badField('body', `Send at most ${maxValues.toLocaleString('en-US')} list items and keys at once.`)
  }
}

/** Index of the quote that ends a text of JSON; a long one is not walked through byte by byte. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let escapes = 0
    while (bytes[end - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return bytes.length
}

interface KeepableCheck {
  keys: number
  maxKeys: number
  /** Keys and indexes that lead to the value under check. */
  path: (string | number)[]
}

/** Refuses a value that one of the databases would change or choke on, and names the field. */
export function assertKeepable(value: unknown, maxKeys = mostKeys): void {
  checkKeepable(value, { keys: 0, maxKeys, path: [] })
}

function checkKeepable(value: unknown, check: KeepableCheck): void {
  const { path } = check
  if (typeof value === 'string') {
    if (value.includes('\u0000') || !value.isWellFormed()) {
      const message = 'This text holds a character that cannot be stored. Remove it and try again.'
      throw badField(path.join('.') || 'body', message)
    }
    return
  }
  if (value === null || typeof value !== 'object') return
  if (path.length >= deepest) throw nestsTooDeep()
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index)
      checkKeepable(value[index], check)
      path.pop()
    }
    return
  }
  for (const key of Object.keys(value)) {
    if (++check.keys > check.maxKeys) throw badField('body', `Send at most ${check.maxKeys} keys.`)
    if (forbiddenKeys.has(key)) throw badField([...path, key].join('.'), `"${key}" is no name for a field.`)
    checkKeepable(key, check)
    path.push(key)
    checkKeepable((value as Record<string, unknown>)[key], check)
    path.pop()
  }
}
