import type { JsonSchema } from './api-calls.ts'

const typeNames: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
}

const formatNames: Record<string, string> = { date: 'day', 'date-time': 'time' }

export interface SchemaField {
  name: string
  isRequired: boolean
  type: string
  description?: string
  /** Fields of an object, or of the objects in a list. */
  fields: SchemaField[]
}

/** Deeper fields are only named by their type. */
const maxDepth = 5
const maxValues = 12

export function listFields(schema: JsonSchema, depth = 0): SchemaField[] {
  const properties = findProperties(schema)
  if (properties.length === 0 || depth >= maxDepth) return []
  return properties.map(([name, field, isRequired]) => ({
    name,
    isRequired,
    type: describeType(field),
    ...(field.description !== undefined && { description: field.description }),
    fields: listFields(field, depth + 1),
  }))
}

/** Fields of an object, of the objects in a list, or of the first object among several choices. */
function findProperties(schema: JsonSchema): [name: string, field: JsonSchema, isRequired: boolean][] {
  if (schema.properties) {
    const required = new Set(schema.required)
    return Object.entries(schema.properties).map(([name, field]) => [name, field, required.has(name)])
  }
  if (schema.items) return findProperties(schema.items)
  if (typeof schema.additionalProperties === 'object') return findProperties(schema.additionalProperties)
  if (schema.allOf) return schema.allOf.flatMap(findProperties)
  const choices = schema.anyOf ?? schema.oneOf ?? []
  return choices.map(findProperties).find((properties) => properties.length > 0) ?? []
}

export function describeType(schema: JsonSchema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) {
    const values = schema.enum.slice(0, maxValues).map((value) => JSON.stringify(value))
    return `${values.join(' or ')}${schema.enum.length > maxValues ? ' …' : ''}`
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return [...new Set(choices.map(describeType))].join(' or ')
  if (schema.allOf) return describeType(schema.allOf[0] ?? {})
  if (schema.prefixItems) return `list of ${schema.prefixItems.map(describeType).join(', ')}`
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.includes('array')) return `list of ${describeType(schema.items ?? {})}${describeBounds(schema)}`
  if (types.includes('object')) return 'object'
  const typeName = types.map((type) => typeNames[type] ?? type).join(' or ') || 'any value'
  return (formatNames[schema.format ?? ''] ?? typeName) + describeBounds(schema)
}

/** Zod bounds whole numbers by JavaScript’s safe integers. */
const isBound = (value: number | undefined): value is number => value !== undefined && Math.abs(value) < 2 ** 53 - 1

function describeBounds(schema: JsonSchema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema
  const bounds = [
    [minLength || undefined, maxLength, ' characters'],
    [minimum, maximum, ''],
    [minItems, maxItems, ''],
  ] as const
  return bounds
    .map(([min, max, unit]) => {
      const format = (value: number) => value.toLocaleString('en-US')
      if (isBound(min) && isBound(max)) return `, ${format(min)} to ${format(max)}${unit}`
      if (isBound(max)) return `, at most ${format(max)}${unit}`
      return isBound(min) ? `, at least ${format(min)}${unit}` : ''
    })
    .join('')
}
