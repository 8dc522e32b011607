import type * as z from 'zod/mini'

type Schema = z.core.$ZodTypes
type CheckDefinition = Record<string, unknown>

export type Step = string | typeof listItem | typeof mapKey | typeof mapValue
export const listItem = '[]'
export const mapKey = '{key}'
export const mapValue = '{}'

export interface SchemaNode {
  path: Step[]
  schema: Schema
  /** Whether an enclosing object limits its JSON length. */
  isBoundedAsJson: boolean
}

/** Every schema inside a schema, with its path. */
export function* walkSchema(root: z.core.$ZodType, path: Step[] = [], isWithinBounds = false): Generator<SchemaNode> {
  const schema = root as Schema
  const isBoundedAsJson = isWithinBounds || getChecks(schema).some(({ params }) => isJsonBound(params))
  yield { path, schema, isBoundedAsJson }
  for (const [step, child] of getChildren(schema))
    yield* walkSchema(child, step === undefined ? path : [...path, step], isBoundedAsJson)
}

const isJsonBound = (params: unknown) => typeof (params as { maxJsonLength?: unknown })?.maxJsonLength === 'number'

const getChecks = ({ _zod: { def } }: Schema): CheckDefinition[] =>
  (def.checks ?? []).map((check) => check._zod.def as unknown as CheckDefinition)

function getChildren({ _zod: { def } }: Schema): [step: Step | undefined, child: z.core.$ZodType][] {
  switch (def.type) {
    case 'object':
      return [
        ...Object.entries(def.shape),
        ...(def.catchall ? [[mapValue, def.catchall] as [Step, z.core.$ZodType]] : []),
      ]
    case 'array':
      return [[listItem, def.element]]
    case 'record':
      return [
        [mapKey, def.keyType],
        [mapValue, def.valueType],
      ]
    case 'union':
      return def.options.map((child) => [undefined, child])
    case 'optional':
    case 'nullable':
    case 'default':
      return [[undefined, def.innerType]]
    case 'pipe':
      return [[undefined, def.in]]
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'enum':
    case 'literal':
    case 'unknown':
    case 'any':
    case 'never':
    case 'custom':
    case 'transform':
      return []
    default:
      throw new Error(`Add the children of ${def.type} schemas to tests/contract-bounds.ts`)
  }
}

/** Unbounded lists, maps, texts and unknown values in a schema, each described with its path. */
export function findUnbounded(root: z.core.$ZodType): string[] {
  return [...walkSchema(root)].flatMap((node) => {
    const missingBound = describeMissingBound(node)
    return missingBound ? [`${node.path.join('.') || 'all of it'}: ${missingBound}`] : []
  })
}

function describeMissingBound({ schema, isBoundedAsJson }: SchemaNode): string | undefined {
  switch (schema._zod.def.type) {
    case 'array':
      return getMaxItems(schema) === undefined ? 'a list without a maximum that is checked before its items' : undefined
    case 'record':
      return getMaxKeys(schema) === undefined ? 'a map without a maximum of keys' : undefined
    case 'string':
      return isBoundedAsJson || isBoundedText(schema) ? undefined : 'a text without a maximum'
    case 'unknown':
    case 'any':
    case 'custom':
    case 'transform':
      return isBoundedAsJson ? undefined : 'a value of any kind without a maximum'
  }
}

/** zod refuses a long list before reading its items only if the length check comes first. */
export function getMaxItems(schema: Schema): number | undefined {
  for (const { check, maximum, length } of getChecks(schema)) {
    if (!/_(length|size)$|_equals$/.test(String(check))) return undefined
    const max = maximum ?? length
    if (typeof max === 'number') return max
  }
  return undefined
}

export function getMaxKeys({ _zod: { def } }: Schema): number | undefined {
  if (def.type !== 'record') return undefined
  return (def as { maxKeys?: number }).maxKeys ?? def.keyType._zod.values?.size
}

function isBoundedText(schema: Schema): boolean {
  const { pattern } = schema._zod.def as { pattern?: RegExp }
  const checks = getChecks(schema)
  const patterns = [pattern, ...checks.map((check) => check.pattern)].filter((candidate) => candidate instanceof RegExp)
  return patterns.some(hasMaxLength) || checks.some(({ check }) => check === 'max_length' || check === 'length_equals')
}

function hasMaxLength({ source }: RegExp): boolean {
  const withoutClasses = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x')
  const isAnchored = /^\^.*\$$/.test(withoutClasses)
  const hasOpenQuantifier = /[*+]|\{\d+,\}/.test(withoutClasses)
  return isAnchored && !hasOpenQuantifier
}
