import { addressBook } from '#contract/index.ts'
import type { JsonSchema } from '#tests/malformed/hostile-values.ts'
import { toJsonSchema } from '#tests/malformed/malformed-requests.ts'

export interface TextField {
  number: number
  /** `moments.create place.name`; `[]` is a list item, `*` any key. */
  name: string
  call: string
  path: string
  maxLength: number
}

const isReference = (path: string) => /(^|\.|_)ids?(\[\])?$|Ids?(\[\])?$/.test(path)

export function textFields(): TextField[] {
  const textFieldList: TextField[] = []
  for (const { area, name, endpoint } of addressBook())
    if (endpoint.method !== 'GET')
      for (const [path, maxTextLength] of stringsIn(toJsonSchema(endpoint.body)))
        if (!isReference(path))
          textFieldList.push({
            number: textFieldList.length,
            name: `${area}.${name} ${path}`,
            call: `${area}.${name}`,
            path,
            maxLength: maxTextLength,
          })
  return textFieldList
}

function stringsIn(schema: JsonSchema): Map<string, number> {
  const maxLengths = new Map<string, number>()
  visit(schema, '', (path, { maxLength }) => {
    maxLengths.set(path, Math.max(maxLengths.get(path) ?? 0, Number(maxLength ?? 10_000)))
  })
  return maxLengths
}

function visit(schema: JsonSchema, path: string, met: (path: string, schema: JsonSchema) => void): void {
  if (schema.enum || 'const' in schema) return
  for (const choice of [...asSchemas(schema.anyOf), ...asSchemas(schema.oneOf)]) visit(choice, path, met)
  if (schema.type === 'string') met(path, schema)
  if (schema.type === 'array' && schema.items) visit(asSchema(schema.items), `${path}[]`, met)
  for (const [name, property] of Object.entries(asSchema(schema.properties)))
    visit(asSchema(property), path ? `${path}.${name}` : name, met)
  if (typeof schema.additionalProperties === 'object') visit(asSchema(schema.additionalProperties), `${path}.*`, met)
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {}
}
function asSchemas(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.map(asSchema) : []
}
