import { listEndpoints } from '../../contract/index.ts'
import type { JsonSchema } from '../../tests/malformed/hostile-values.ts'
import { toJsonSchema } from '../../tests/malformed/malformed-requests.ts'

export interface TextField {
  number: number
  /** `moments.create place.name`; `[]` is a list item, `*` any key. */
  name: string
  call: string
  path: string
  maxLength: number
}

const isReference = (path: string) => /(^|\.|_)ids?(\[\])?$|Ids?(\[\])?$/.test(path)

export function listTextFields(): TextField[] {
  const textFields: TextField[] = []
  for (const { area, name, endpoint } of listEndpoints())
    if (endpoint.method !== 'GET')
      for (const [path, maxTextLength] of findStrings(toJsonSchema(endpoint.body)))
        if (!isReference(path))
          textFields.push({
            number: textFields.length,
            name: `${area}.${name} ${path}`,
            call: `${area}.${name}`,
            path,
            maxLength: maxTextLength,
          })
  return textFields
}

function findStrings(schema: JsonSchema): Map<string, number> {
  const maxLengths = new Map<string, number>()
  visit(schema, '', (path, { maxLength }) => {
    maxLengths.set(path, Math.max(maxLengths.get(path) ?? 0, Number(maxLength ?? 10_000)))
  })
  return maxLengths
}

function visit(schema: JsonSchema, path: string, onString: (path: string, schema: JsonSchema) => void): void {
  if (schema.enum || 'const' in schema) return
  for (const choice of [...toSchemas(schema.anyOf), ...toSchemas(schema.oneOf)]) visit(choice, path, onString)
  if (schema.type === 'string') onString(path, schema)
  if (schema.type === 'array' && schema.items) visit(toSchema(schema.items), `${path}[]`, onString)
  for (const [name, property] of Object.entries(toSchema(schema.properties)))
    visit(toSchema(property), path ? `${path}.${name}` : name, onString)
  if (typeof schema.additionalProperties === 'object')
    visit(toSchema(schema.additionalProperties), `${path}.*`, onString)
}

function toSchema(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {}
}
function toSchemas(value: unknown): JsonSchema[] {
  return Array.isArray(value) ? value.map(toSchema) : []
}
