import type * as z from 'zod/mini'
import { truncate } from '#contract/truncate.ts'
import { requireStorable } from '#server/http/request-body.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { toBoolean, toInstant, toNumber, toObject, toText } from './importers/foreign-values.ts'

export interface SchemaReadOptions {
  /** Called with the name of a field whose value, or part of it, can't be used. */
  onLoss(field: string): void
  /** Values for required fields of a schema that have none. */
  fallbacks?: ReadonlyMap<unknown, unknown>
}

type Schema = z.core.$ZodTypes

const unusable = Symbol('unusable')

/**
 * Reads a foreign value field by field, as the schema describes it. If a value can't be used, only its field is left
 * out, provided it is optional, nullable or has a default; lists and maps lose only the item. Values of another type
 * are converted if their meaning is clear. Problems aren't collected, so that a large file stays cheap.
 * @returns undefined if a required field is unusable
 */
export function readBySchema<T extends z.ZodMiniType>(
  schema: T,
  value: unknown,
  options: SchemaReadOptions,
): z.output<T> | undefined {
  const result = read(schema as unknown as Schema, value, options, '')
  return result === unusable ? undefined : (result as z.output<T>)
}

export const isBlank = (value: unknown) => value === undefined || value === null || value === ''

/** Years 1 to 9999, which every database and form field supports. */
const minInstant = Date.parse('0001-01-01T00:00:00Z')
const maxInstant = Date.parse('9999-12-31T23:59:59.999Z')

const maxTimeLength = 64

/** Parses a time in any common format, to milliseconds; undefined if it isn't one. */
export function readInstant(value: unknown): number | undefined {
  const instant =
    toInstant(value) ?? (typeof value === 'string' && value.length <= maxTimeLength ? Date.parse(value) : Number.NaN)
  return instant >= minInstant && instant <= maxInstant ? instant : undefined
}

/** Removes characters that not every database can store. */
export const toStorableText = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()

function read(schema: Schema, value: unknown, options: SchemaReadOptions, field: string): unknown {
  const { def } = schema._zod
  switch (def.type) {
    case 'optional':
      return readOptional(def.innerType as Schema, value, undefined, { options, field })
    case 'nullable':
      return readOptional(def.innerType as Schema, value, null, { options, field })
    case 'default':
      return readOptional(def.innerType as Schema, value, def.defaultValue, { options, field })
    case 'object':
      return readObject(def, value, options)
    case 'array':
      return readList(schema, def.element as Schema, value, { options, field })
    case 'record':
      return readMap(def, value, options, field)
    case 'unknown':
      return value
    default:
      return readSimple(schema, value, options, field)
  }
}

interface FieldContext {
  options: SchemaReadOptions
  field: string
}

function readOptional(inner: Schema, value: unknown, fallback: unknown, { options, field }: FieldContext): unknown {
  if (value === undefined || (value === null && fallback === null)) return fallback
  const result = read(inner, value, options, field)
  if (result !== unusable) return result
  if (!isBlank(value)) options.onLoss(field)
  return fallback
}

function readObject({ shape, catchall }: z.core.$ZodObjectDef, value: unknown, options: SchemaReadOptions): unknown {
  const source = toObject(value)
  if (!source) return unusable
  const result: Record<string, unknown> = {}
  for (const [name, child] of Object.entries(shape)) {
    const fieldValue = Object.hasOwn(source, name) ? source[name] : undefined
    let fieldResult = read(child as Schema, fieldValue, options, name)
    if (fieldResult === unusable) {
      if (!options.fallbacks?.has(child)) return unusable
      if (!isBlank(fieldValue)) options.onLoss(name)
      fieldResult = options.fallbacks.get(child)
    }
    if (fieldResult !== undefined) result[name] = fieldResult
  }
  if (!catchall) return result
  for (const [name, other] of Object.entries(source)) {
    if (name in shape) continue
    if (isStorable({ [name]: other })) result[name] = other
    else options.onLoss(name)
  }
  return result
}

/** Like `requireStorable`, without a size limit: an archive can hold more than a request. */
function isStorable(value: unknown): boolean {
  try {
    requireStorable(value, Number.POSITIVE_INFINITY)
    return true
  } catch {
    return false
  }
}

/** Treats a single value as a list with one item. */
function readList(schema: Schema, element: Schema, value: unknown, { options, field }: FieldContext): unknown {
  if (isBlank(value)) return Array.isArray(value) ? [] : unusable
  const source = Array.isArray(value) ? value : [value]
  const maxItems = getMaxLength(schema)
  if (source.length > maxItems) options.onLoss(field)
  return source.slice(0, maxItems).flatMap((item) => {
    const result = read(element, item, options, field)
    if (result !== unusable) return [result]
    options.onLoss(field)
    return []
  })
}

function readMap(def: z.core.$ZodRecordDef, value: unknown, options: SchemaReadOptions, field: string): unknown {
  const source = toObject(value)
  if (!source) return unusable
  const result: Record<string, unknown> = {}
  const maxKeys = 'maxKeys' in def ? Number(def.maxKeys) : Number.POSITIVE_INFINITY
  let keyCount = 0
  for (const [key, item] of Object.entries(source)) {
    keyCount += 1
    if (keyCount > maxKeys) {
      options.onLoss(field)
      break
    }
    const readItem = read(def.valueType as Schema, item, options, field)
    if (readItem !== unusable && (def.keyType as z.ZodMiniType).safeParse(key).success && isStorable({ [key]: 0 }))
      result[key] = readItem
    else options.onLoss(field)
  }
  return result
}

function readSimple(schema: Schema, value: unknown, options: SchemaReadOptions, field: string): unknown {
  for (const candidate of listCandidates(schema, value)) {
    const parsed = (schema as unknown as z.ZodMiniType).safeParse(candidate)
    if (parsed.success) return parsed.data
  }
  const maxLength = getMaxLength(schema)
  if (typeof value !== 'string' || value.length <= maxLength) return unusable
  const shortened = (schema as unknown as z.ZodMiniType).safeParse(truncate(toStorableText(value), maxLength))
  if (!shortened.success) return unusable
  options.onLoss(field)
  return shortened.data
}

function* listCandidates({ _zod: { def } }: Schema, value: unknown): Generator<unknown> {
  if (typeof value === 'string') yield toStorableText(value)
  else if (typeof value !== 'object' || value === null || isStorable(value)) yield value
  if (def.type === 'number') yield toNumber(value)
  else if (def.type === 'boolean') yield toBoolean(value)
  else if (def.type === 'string' || def.type === 'enum') {
    const text = toText(value)
    if ('format' in def && def.format === 'datetime') yield toIsoText(value)
    else if ('format' in def && def.format === 'date') yield toIsoText(value)?.slice(0, 10)
    else if (text !== undefined) yield toStorableText(text).trim()
  }
}

function toIsoText(value: unknown): string | undefined {
  const instant = readInstant(value)
  return instant === undefined ? undefined : toIsoTime(instant)
}

function getMaxLength({ _zod: { def } }: Schema): number {
  const limits = (def.checks ?? []).flatMap(({ _zod }) => {
    const check = _zod.def as { check: string; maximum?: number }
    return check.check === 'max_length' && check.maximum !== undefined ? [check.maximum] : []
  })
  return Math.min(...limits, Number.POSITIVE_INFINITY)
}
