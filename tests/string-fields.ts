import { addressBook } from '#contract/index.ts'
import { cleanOneLine, showOneLine } from '#contract/one-line-text.ts'

export interface StringField {
  /** Call area and field name, such as `boards.description`. */
  key: string
  call: string
  isCleaned: boolean
  /** A pattern, an email, a date or an id restricts the value. */
  hasFormat: boolean
}

type Part = 'body' | 'query' | 'returns'
// biome-ignore lint/suspicious/noExplicitAny: the definition of a schema of any kind
type Definition = any

/** All free-text fields in one part of the calls. */
export function stringFields(part: Part): StringField[] {
  return addressBook().flatMap(({ area, name, endpoint }) =>
    stringsIn(endpoint[part], part).map(({ field, schema }) => ({
      key: `${area}.${field}`,
      call: `${area}.${name}`,
      ...readChecks(schema),
    })),
  )
}

/** Supports every schema type of the contract and throws on an unknown one. */
function stringsIn(
  schema: Definition,
  field: string,
  parents: Definition[] = [],
): { field: string; schema: Definition }[] {
  if (schema === undefined || parents.includes(schema)) return []
  const { def } = schema._zod
  const inside = (inner: Definition, name = field) => stringsIn(inner, name, [...parents, schema])
  switch (def.type) {
    case 'string':
      return [{ field, schema }]
    case 'object':
      return Object.entries(def.shape).flatMap(([name, inner]) => inside(inner, name))
    case 'array':
      return inside(def.element)
    case 'record':
      return [...inside(def.keyType, `${field} (key)`), ...inside(def.valueType)]
    case 'tuple':
      return def.items.flatMap((item: Definition) => inside(item))
    case 'union':
      return def.options.flatMap((option: Definition) => inside(option))
    case 'pipe':
      return inside(def.in)
    case 'optional':
    case 'nullable':
    case 'default':
      return inside(def.innerType)
    default:
      if (['boolean', 'number', 'int', 'enum', 'literal', 'null', 'unknown'].includes(def.type)) return []
      throw new Error(`Describe in tests/string-fields.ts where a schema of type ${def.type} holds strings.`)
  }
}

function readChecks(schema: Definition): Pick<StringField, 'isCleaned' | 'hasFormat'> {
  const { def } = schema._zod
  const checks: Definition[] = (def.checks ?? []).map((check: Definition) => check._zod.def)
  return {
    isCleaned: checks.some(({ tx }) => tx === cleanOneLine || tx === showOneLine),
    hasFormat: def.format !== undefined || checks.some(({ check }) => check === 'string_format'),
  }
}
