import type { JsonSchema } from './json-schema.ts'

interface ExampleOptions {
  /** Name of the field, which hints at its kind of text. */
  name: string
  /** For requests: only what must be sent, or the first field if nothing must. */
  onlyRequired: boolean
}

const exampleId = '0193f2c4a5b67c8d9e0f1a2b3c4d5e6f'
const maxDepth = 6

/** A value that the schema accepts, the same each time. */
export function createExample(schema: JsonSchema, options: ExampleOptions, depth = 0): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) {
    const choice = choices.find(({ type }) => type !== 'null') ?? { type: 'null' }
    return createExample(choice, options, depth)
  }
  if (schema.allOf) return createExample(Object.assign({}, ...schema.allOf) as JsonSchema, options, depth)
  const type = Array.isArray(schema.type) ? schema.type.find((candidate) => candidate !== 'null') : schema.type
  if (type === 'object') return createObject(schema, options, depth)
  if (type === 'array') return createList(schema, options, depth)
  if (type === 'string') return createText(schema, options.name)
  if (type === 'number' || type === 'integer') return createNumber(schema)
  if (type === 'boolean') return true
  if (type === 'null') return null
  // Any value is accepted: a text if the name suggests one.
  return findText(options.name) ?? {}
}

function createObject(schema: JsonSchema, options: ExampleOptions, depth: number): unknown {
  const { additionalProperties: values, propertyNames } = schema
  if (typeof values === 'object' && schema.properties === undefined) {
    const names = propertyNames?.enum ? (schema.required ?? propertyNames.enum) : []
    return Object.fromEntries(
      names.map((name) => [name, createExample(values, { ...options, name: String(name) }, depth + 1)]),
    )
  }
  const properties = Object.entries(schema.properties ?? {})
  const required = new Set(schema.required)
  const requiredProperties = properties.filter(([name]) => required.has(name))
  const chooseProperties = () => {
    if (!options.onlyRequired) return depth >= maxDepth ? requiredProperties : properties
    return requiredProperties.length > 0 || depth > 0 ? requiredProperties : properties.slice(0, 1)
  }
  return Object.fromEntries(
    chooseProperties().map(([name, value]) => [name, createExample(value, { ...options, name }, depth + 1)]),
  )
}

function createList(schema: JsonSchema, options: ExampleOptions, depth: number): unknown[] {
  const { items = {}, minItems = 0, prefixItems } = schema
  if (prefixItems) return prefixItems.map((item) => createExample(item, options, depth + 1))
  const length = Math.max(minItems, depth < maxDepth ? 1 : 0)
  return Array.from({ length }, () => createExample(items, options, depth + 1))
}

function createNumber({ minimum, exclusiveMinimum, maximum }: JsonSchema): number {
  const min = minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1)
  return Math.min(Math.max(3, min ?? 3), maximum ?? 3)
}

const textsByFormat: Partial<Record<string, string>> = { date: '2026-03-14', 'date-time': '2026-03-14T09:30:00.000Z' }

const textsByName: [pattern: RegExp, text: string][] = [
  [/context_scope/, 'user_input'],
  [/email/i, 'ada@example.org'],
  [/password/i, 'a long password of yours'],
  [/(^|_)id$|Id$|^ids?$|Ids$|By$/, exampleId],
  [/url|uri|href|address/i, 'https://example.org/page'],
  [/slug/i, 'reading-companion'],
  [/color/i, '#1f6f5c'],
  [/timezone|zone/i, 'Europe/Lisbon'],
  [/(At|_at)$|since|until/, '2026-03-14T09:30:00.000Z'],
  [/day|date|from|^to$/i, '2026-03-14'],
  [/topic|tag/i, 'Travel'],
  [/name|title|label/i, 'Winter in Lisbon'],
  [/content|body|text|message|input|question|quote|statement|belief/i, 'The first warm evening by the river.'],
  [/reason|purpose|description|summary/i, 'For the notes of this trip.'],
  [/mime|type/i, 'image/jpeg'],
  [/provider/i, 'openai'],
  [/model/i, 'a-model'],
  [/currency/i, 'USD'],
]

/** Tried in order if the text for the name doesn't match the pattern or length. */
const otherTexts = [
  'example',
  'text',
  exampleId,
  '2026-03-14',
  '2026-03-14T09:30:00.000Z',
  '03-14',
  '123456',
  '#1f6f5c',
  'https://example.org/page',
  'ada@example.org',
  '6f1c1b8e-0c5d-4a55-9d0e-6a1c3c5b7f21',
  'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  'e',
]

const findText = (name: string) => textsByName.find(([pattern]) => pattern.test(name))?.[1]

function createText(
  { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema,
  name: string,
): string {
  const accepts = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const candidates = [textsByFormat[format ?? ''], findText(name), ...otherTexts].filter((text) => text !== undefined)
  const isAllowed = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (accepts === undefined || accepts.test(text))
  return candidates.find(isAllowed) ?? 'example'.padEnd(Math.min(minLength, 1000), 'e')
}
