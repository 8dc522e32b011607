import { listEndpoints } from '#contract/index.ts'
import { cleanOneLine, toDisplayLine } from '#contract/one-line-text.ts'

export interface StringField {
  /** Call area and field name, such as `boards.description`. */
  key: string
  call: string
  isCleaned: boolean
  /** A pattern, an email, a date or an id restricts the value. */
  hasFormat: boolean
}

type CallPart = 'body' | 'query' | 'response'
// biome-ignore lint/suspicious/noExplicitAny: the definition of a schema of any kind
type SchemaDefinition = any

/** All free-text fields in one part of the calls. */
export function listStringFields(part: CallPart): StringField[] {
  return listEndpoints().flatMap(({ area, name, endpoint }) =>
    findStrings(endpoint[part], part).map(({ field, schema }) => ({
      key: `${area}.${field}`,
      call: `${area}.${name}`,
      ...readChecks(schema),
    })),
  )
}

/** Supports every schema type of the contract and throws on an unknown one. */
function findStrings(
  schema: SchemaDefinition,
  field: string,
  parents: SchemaDefinition[] = [],
): { field: string; schema: SchemaDefinition }[] {
  if (schema === undefined || parents.includes(schema)) return []
  const { def } = schema._zod
  const visit = (inner: SchemaDefinition, name = field) => findStrings(inner, name, [...parents, schema])
  switch (def.type) {
    case 'string':
      return [{ field, schema }]
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => visit(inner, name))
    case 'array':
      return visit(def.element)
    case 'record':
      return [...visit(def.keyType, `${field} (key)`), ...visit(def.valueType)]
    case 'tuple':
      return def.items.flatMap((item: SchemaDefinition) => visit(item))
    case 'union':
      return def.options.flatMap((option: SchemaDefinition) => visit(option))
    case 'pipe':
      return visit(def.in)
    case 'optional':
    case 'nullable':
    case 'default':
      return visit(def.innerType)
    default:
      if (['boolean', 'number', 'int', 'enum', 'literal', 'null', 'unknown'].includes(def.type)) return []
      throw new Error(`Describe in tests/string-fields.ts where a schema of type ${def.type} holds strings.`)
  }
}

function readChecks(schema: SchemaDefinition): Pick<StringField, 'isCleaned' | 'hasFormat'> {
  const { def } = schema._zod
  const checks: SchemaDefinition[] = (def.checks ?? []).map((check: SchemaDefinition) => check._zod.def)
  return {
    isCleaned: checks.some(({ tx }) => tx === cleanOneLine || tx === toDisplayLine),
    hasFormat: def.format !== undefined || checks.some(({ check }) => check === 'string_format'),
  }
}
