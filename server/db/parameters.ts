import type { ColumnType } from 'kysely'
import { toStorableJson } from '#contract/storable-json.ts'

declare const jsonText: unique symbol

export type JsonText<T = unknown> = string & { readonly [jsonText]: T }

export type Parameter = string | number | bigint | boolean | null | Uint8Array

/** The only way into a JSON column: `json({a: 1})`, `json('text')`, `json(null)` (a bare `null` means no value). Replaces NUL and lone surrogates, which PostgreSQL refuses. Throws a TypeError for values JSON can't hold. */
export function json<T>(value: T): JsonText<T> {
  if (Array.isArray(value) && value.length === 0) return '[]' as JsonText<T>
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError('json() received a value that JSON can’t represent')
  return toStorableJson(text) as JsonText<T>
}

export function toSqliteParameters(parameters: readonly unknown[]): unknown[] {
  const encoded = new Array<unknown>(parameters.length)
  for (let index = 0; index < parameters.length; index++) {
    const value = parameters[index]
    if (typeof value === 'boolean') encoded[index] = value ? 1 : 0
    else if (value instanceof Uint8Array) encoded[index] = copyIfShared(value)
    else encoded[index] = requirePlainValue(value, index)
  }
  return encoded
}

export function toPostgresParameters(parameters: readonly unknown[]): unknown[] {
  return parameters.map((value, index) =>
    value instanceof Uint8Array ? toBuffer(value) : requirePlainValue(value, index),
  )
}

function requirePlainValue(value: unknown, index: number): unknown {
  if (value === null) return value
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'bigint':
    case 'boolean':
      return value
  }
  const name = `Query parameter ${index + 1}`
  if (value instanceof Date) throw new TypeError(`${name} is a Date: pass milliseconds`)
  throw new TypeError(`${name} is ${typeof value}: ${typeof value === 'object' ? 'wrap it in json()' : 'pass null'}`)
}

// A Buffer is often a view of a shared 8 KiB block; posting it to a thread would copy the whole block.
function copyIfShared(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export type Milliseconds = number
export type Json<T> = ColumnType<T, JsonText<T>, JsonText<T>>
export type JsonWithDefault<T> = ColumnType<T, JsonText<T> | undefined, JsonText<T>>
export type JsonOrNull<T> = ColumnType<T | null, JsonText<T> | null, JsonText<T> | null>
