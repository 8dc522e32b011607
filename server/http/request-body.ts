import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { withDeadline } from '#server/values/with-deadline.ts'
import { badField, Problem } from './problem.ts'

export const maxJsonDepth = 32
const bodyTimeoutMs = 30_000
const defaultMaxKeys = 2000
/** List items and keys per body (docs/decisions/0025). */
const maxBodyValues = 50_000
/** A wide object is far more expensive to parse than many narrow ones. */
const maxObjectKeys = 10_000
const byteOrderMark = 0xfeff
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])

/** Limits bytes, depth, keys and text that can't be stored; absent is `{}`. `incoming` is absent when tests call the app. */
export async function readJsonBody(
  request: Request,
  incoming: IncomingMessage | undefined,
  { maxBytes, maxKeys = defaultMaxKeys }: { maxBytes: number; maxKeys?: number | undefined },
): Promise<unknown> {
  const bytes = await readBytes(request, incoming, maxBytes)
  const isJson = (request.headers.get('content-type') ?? '').toLowerCase().startsWith('application/json')
  if (isJson) requireFewValues(bytes, maxKeys)
  const text = decodeBody(bytes)
  if (text.trim() === '') return {}
  if (!isJson) throw new Problem('wrong-content-type')
  return parseStorableJson(text, maxKeys)
}

/** Reads a URL-encoded form. @throws Problem 415 for another content type, 413 for a longer one */
export async function readFormBody(
  request: Request,
  incoming: IncomingMessage | undefined,
  maxBytes: number,
): Promise<URLSearchParams> {
  const contentType = (request.headers.get('content-type') ?? '').toLowerCase()
  if (!contentType.startsWith('application/x-www-form-urlencoded'))
    throw new Problem('wrong-content-type', { message: 'Send application/x-www-form-urlencoded.' })
  return new URLSearchParams(decodeBody(await readBytes(request, incoming, maxBytes)))
}

async function readBytes(
  request: Request,
  incoming: IncomingMessage | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const declaredBytes = Number(request.headers.get('content-length') ?? 0)
  if (declaredBytes > maxBytes) throw createBodyTooLargeProblem(maxBytes)
  const bytes =
    declaredBytes > 0 && incoming
      ? (readBufferedBody(incoming, declaredBytes) ?? (await collectBody(incoming, bodyTimeoutMs)))
      : await withTimeout(readUpTo(request, maxBytes), bodyTimeoutMs)
  if (bytes.byteLength > maxBytes) throw createBodyTooLargeProblem(maxBytes)
  return bytes
}

/** Parses an uploaded JSON file. @throws Problem 400 as for a body */
export function readJsonFile(bytes: Uint8Array, maxKeys: number): unknown {
  requireFewValues(bytes, maxKeys)
  return parseStorableJson(decodeBody(bytes), maxKeys)
}

export const createTooDeepProblem = () => badField('body', `Nest the JSON at most ${maxJsonDepth} levels deep.`)

function parseStorableJson(text: string, maxKeys: number): unknown {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw badField('body', 'The body isn’t valid JSON.')
  }
  requireStorable(parsed, maxKeys)
  return parsed
}

export const withTimeout = <T>(promise: Promise<T>, ms: number): Promise<T> =>
  withDeadline(promise, ms, () => new Problem('request-timeout'))

/** The body, if it arrived with its headers; avoids timer and listeners of {@link collectBody} (docs/decisions/0023). */
function readBufferedBody(incoming: IncomingMessage, declaredBytes: number): Uint8Array | null {
  if (incoming.readableLength !== declaredBytes || incoming.destroyed) return null
  const body: Buffer | null = incoming.read()
  // Lets the stream end, so that the connection can be reused.
  incoming.resume()
  return body
}

/** Collects a body of declared length; Node delivers exactly that much. @throws Problem 408 */
function collectBody(incoming: IncomingMessage, milliseconds: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Problem('request-timeout')), milliseconds)
    const rejectCutOff = () => {
      clearTimeout(timer)
      reject(createCutOffProblem())
    }
    if (incoming.destroyed) rejectCutOff()
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      clearTimeout(timer)
      // A small chunk would retain its 64 kB read buffer for as long as the request lives.
      const [only, ...others] = chunks.splice(0)
      resolve(only && others.length === 0 ? only : Buffer.concat(only ? [only, ...others] : []))
    })
    incoming.on('error', rejectCutOff)
    incoming.on('close', () => {
      if (!incoming.complete) rejectCutOff()
    })
  })
}

async function readUpTo(request: Request, maxBytes: number): Promise<Uint8Array> {
  const reader = request.body?.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  while (reader) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw createCutOffProblem(error)
    })
    if (done) break
    bytes += value.byteLength
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined)
      throw createBodyTooLargeProblem(maxBytes)
    }
    chunks.push(value)
  }
  return Buffer.concat(chunks)
}

const createCutOffProblem = (cause?: unknown) => badField('body', 'The body was cut off.', cause)

function decodeBody(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) throw badField('body', 'The body isn’t valid UTF-8.')
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
  return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text
}

function createBodyTooLargeProblem(maxBytes: number): Problem {
  const limitText = `Keeper accepts at most ${Math.floor(maxBytes / 1024)} KB here.`
  return new Problem('too-large', { message: `${limitText} Shorten what you send, or send it in parts.` })
}

const [space, quote, comma, openList, backslash, closeList, openObject, closeObject] = [
  32, 34, 44, 91, 92, 93, 123, 125,
]
const remainingByDepth = new Int32Array(maxJsonDepth + 1)

/** Counts values in the raw bytes, since decoding 32 MB is slower than refusing them. @throws Problem 400 */
function requireFewValues(bytes: Uint8Array, maxKeys: number): void {
  const maxValues = Math.max(maxBodyValues, maxKeys)
  let depth = 0
  let valueCount = 0
  for (let index = 0; index < bytes.length; index++) {
    const code = bytes[index]
    if (code === quote) index = findStringEnd(bytes, index + 1)
    else if (code === comma) {
      valueCount++
      const remaining = (remainingByDepth[depth] ?? 1) - 1
      if (remaining < 0) throw badField('body', 'Send at most 10,000 keys in one object.')
      remainingByDepth[depth] = remaining
    } else if (code === openObject || code === openList) {
      if (++depth > maxJsonDepth) throw createTooDeepProblem()
      remainingByDepth[depth] = code === openObject ? maxObjectKeys - 1 : maxValues
      while ((bytes[index + 1] ?? quote) <= space) index++
      const next = bytes[index + 1]
      if (next !== closeObject && next !== closeList) valueCount++
    } else if (code === closeObject || code === closeList) depth--
    if (valueCount > maxValues)
      throw badField('body', `Send at most ${maxValues.toLocaleString('en-US')} list items and keys in one body.`)
  }
}

function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let backslashCount = 0
    while (bytes[end - 1 - backslashCount] === backslash) backslashCount++
    if (backslashCount % 2 === 0) return end
  }
  return bytes.length
}

interface StorableCheck {
  keyCount: number
  maxKeys: number
  path: (string | number)[]
}

export function requireStorable(value: unknown, maxKeys = defaultMaxKeys): void {
  checkStorable(value, { keyCount: 0, maxKeys, path: [] })
}

function checkStorable(value: unknown, check: StorableCheck): void {
  const { path } = check
  if (typeof value === 'string') {
    if (value.includes('\u0000') || !value.isWellFormed()) {
      const message = 'This text contains a character that can’t be stored. Remove it and try again.'
      throw badField(path.join('.') || 'body', message)
    }
    return
  }
  if (value === null || typeof value !== 'object') return
  if (path.length >= maxJsonDepth) throw createTooDeepProblem()
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      path.push(index)
      checkStorable(value[index], check)
      path.pop()
    }
    return
  }
  for (const key of Object.keys(value)) {
    if (++check.keyCount > check.maxKeys) throw badField('body', `Send at most ${check.maxKeys} keys.`)
    if (forbiddenKeys.has(key)) throw badField([...path, key].join('.'), `"${key}" isn’t a valid field name.`)
    checkStorable(key, check)
    path.push(key)
    checkStorable((value as Record<string, unknown>)[key], check)
    path.pop()
  }
}
