declare const jsonText: unique symbol

/** The JSON text of a value of type T, ready to be stored. Only {@link json} makes one. */
export type JsonText<T = unknown> = string & { readonly [jsonText]: T }

/** What may stand for a `?`: no plain objects, no dates, no `undefined`. */
export type Parameter = string | number | bigint | boolean | null | Uint8Array

/**
 * The one way into a JSON column, on both engines and for every value, text and null included:
 * `json({a: 1})`, `json('text')`, `json(null)` (JSON's null; pass a bare `null` for "no value").
 * A plain object or array as a parameter is refused, so a forgotten `json()` fails at its first run.
 * NUL and half characters, which PostgreSQL refuses in jsonb, become U+FFFD: a text that was cut, or that a model or a
 * tool server made up, may hold them. Throws a TypeError for what JSON cannot hold (undefined, functions, bigint, cycles).
 */
export function json<T>(value: T): JsonText<T> {
  // Most lists and settings are empty.
  if (Array.isArray(value) && value.length === 0) return '[]' as JsonText<T>
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('json() was given a value that JSON cannot hold')
  return (text.includes('\\u') ? text.replace(escapes, keepable) : text) as JsonText<T>
}

/** JSON.stringify escapes halves of characters; whole ones it leaves as they are. */
const escapes = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g
const keepable = (escaped: string) => (escaped.length === 6 ? '\ufffd' : escaped)

/** Booleans become 1 and 0, because SQLite has none. Everything else is checked as for PostgreSQL. */
export function sqliteParameters(parameters: readonly unknown[]): unknown[] {
  const encoded = new Array<unknown>(parameters.length)
  for (let index = 0; index < parameters.length; index++) {
    const value = parameters[index]
    if (typeof value === 'boolean') encoded[index] = value ? 1 : 0
    else if (value instanceof Uint8Array) encoded[index] = ownBytes(value)
    else encoded[index] = plain(value, index)
  }
  return encoded
}

/** Refuses what the two engines would take differently. */
export function postgresParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value, index) => (value instanceof Uint8Array ? asBuffer(value) : plain(value, index)))
}

function plain(value: unknown, index: number): unknown {
  if (value === null) return value
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value
  }
  const hint =
    value instanceof Date ? 'pass milliseconds' : typeof value === 'object' ? 'wrap it in json()' : 'pass null'
  throw new TypeError(`Query parameter ${index + 1} is ${value instanceof Date ? 'a Date' : typeof value}: ${hint}`)
}

// A Buffer is often a window on a shared 8 KiB block, and posting it to a thread would copy the whole block.
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
