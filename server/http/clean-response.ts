import type * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { cleanOneLine, toDisplayLine } from '#contract/one-line-text.ts'
import { isObject } from '#server/values/is-object.ts'

type Cleaner = (value: unknown) => unknown
// biome-ignore lint/suspicious/noExplicitAny: the definition of a schema of any kind
type Definition = any

const cleaners = new WeakMap<z.ZodMiniType, Cleaner | null>()

/** Cleans one-line texts stored before input cleaning existed; returns the same value if nothing changes. */
export function cleanResponse({ response }: Endpoint, data: unknown): unknown {
  let clean = cleaners.get(response)
  if (clean === undefined) {
    clean = createCleaner(response) ?? null
    cleaners.set(response, clean)
  }
  return clean ? clean(data) : data
}

export function cleanConflictData(endpoint: Endpoint, data: object): object {
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, cleanResponse(endpoint, value)]))
}

function createCleaner(schema: Definition): Cleaner | undefined {
  const { def } = schema._zod
  switch (def.type) {
    case 'string': {
      const isOneLine = def.checks?.some(
        ({ _zod: { def } }: Definition) => def.tx === cleanOneLine || def.tx === toDisplayLine,
      )
      return isOneLine ? (value) => (typeof value === 'string' ? toDisplayLine(value) : value) : undefined
    }
    case 'object': {
      const fields = Object.entries(def.shape).flatMap(([name, inner]) => {
        const clean = createCleaner(inner)
        return clean ? [[name, clean] as const] : []
      })
      return fields.length > 0 ? (value) => (isObject(value) ? cleanFields(value, fields) : value) : undefined
    }
    case 'array': {
      const clean = createCleaner(def.element)
      return clean && ((value) => (Array.isArray(value) ? cleanItems(value, clean) : value))
    }
    case 'record': {
      const clean = createCleaner(def.valueType)
      const listFields = (value: object) => Object.keys(value).map((name) => [name, clean as Cleaner] as const)
      return clean && ((value) => (isObject(value) ? cleanFields(value, listFields(value)) : value))
    }
    case 'union': {
      const optionCleaners: Cleaner[] = def.options.flatMap((option: Definition) => createCleaner(option) ?? [])
      return optionCleaners.length > 0
        ? (value) => optionCleaners.reduce((cleaned, clean) => clean(cleaned), value)
        : undefined
    }
    default:
      return def.innerType && createCleaner(def.innerType)
  }
}

function cleanFields(value: Record<string, unknown>, fields: readonly (readonly [string, Cleaner])[]): unknown {
  let cleaned = value
  for (const [name, clean] of fields) {
    const field = value[name]
    if (field === undefined || field === null) continue
    const next = clean(field)
    if (next === field) continue
    if (cleaned === value) cleaned = { ...value }
    cleaned[name] = next
  }
  return cleaned
}

function cleanItems(value: unknown[], clean: Cleaner): unknown[] {
  let cleaned = value
  for (let index = 0; index < value.length; index++) {
    const next = clean(value[index])
    if (next === value[index]) continue
    if (cleaned === value) cleaned = value.slice()
    cleaned[index] = next
  }
  return cleaned
}
