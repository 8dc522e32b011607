import { isObject } from '../values/is-object.ts'

export interface RepairedSchema {
  schema: Record<string, unknown>
  notes: string[]
  /** For argument names that providers refuse: the name sent to the model → the tool's own name. */
  originalNames: ReadonlyMap<string, string>
}

const maxDepth = 40
const maxNodes = 10_000
const maxLength = 100_000
const maxPatternLength = 1000
const maxNoteLength = 500

const combinators = ['anyOf', 'oneOf', 'allOf'] as const
/** Keywords providers refuse next to `properties` (OpenAI and Anthropic name the first five in their errors). */
const refusedTopLevelKeywords = [...combinators, 'enum', 'not', 'const', 'if', 'then', 'else', '$ref'] as const
const schemaKeywords = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const schemaListKeywords = new Set<string>([...combinators, 'prefixItems'])
const schemaMapKeywords = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'])
const dataKeywords = new Set(['const', 'default', 'enum', 'example', 'examples'])
const schemaTypes = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']
const typeAliases: Record<string, string> = {
  bool: 'boolean',
  date: 'string',
  dict: 'object',
  double: 'number',
  float: 'number',
  int: 'integer',
  list: 'array',
  long: 'integer',
  map: 'object',
  none: 'null',
  str: 'string',
  text: 'string',
  tuple: 'array',
}
/** Anthropic's rule for argument names. */
const acceptedNamePattern = /^[A-Za-z0-9_.-]{1,64}$/
/** Leaves space for a number. */
const maxAliasBaseLength = 56

/** Takes linear time. The tool validates its arguments itself, so a dropped rule costs at most a clear error. */
export function repairToolSchema(input: unknown): RepairedSchema | { problem: string } {
  if (input === undefined || input === null) return { problem: 'The tool has no inputSchema.' }
  try {
    return new SchemaRepair(input).repair()
  } catch (error) {
    if (error instanceof UnusableSchema) return { problem: error.message }
    throw error
  }
}

class UnusableSchema extends Error {}

class SchemaRepair {
  readonly #input: Record<string, unknown>
  readonly #notes: string[] = []
  #nodeCount = 0
  #resolvedLength = 0

  constructor(input: unknown) {
    if (!isObject(input)) throw new UnusableSchema('The tool’s inputSchema is not an object.')
    this.#input = input
  }

  repair(): RepairedSchema {
    this.#requireLength(jsonLength(this.#input))
    const types = toTypes(this.#input.type)
    if (types.length > 0 && !types.includes('object'))
      throw new UnusableSchema(
        `The tool’s inputSchema describes ${withArticle(types[0] ?? '')}, not an object of arguments.`,
      )
    const { properties } = this.#input
    if (properties !== undefined && properties !== null && !isObject(properties))
      throw new UnusableSchema('The properties of the tool’s inputSchema are not an object.')
    const fullSchema = this.#repairSchema(this.#input, 0) as Record<string, unknown>
    const schema = this.#removeRefusedKeywords(fullSchema)
    const originalNames = new Map<string, string>()
    schema.properties = this.#renameArguments((schema.properties ?? {}) as Record<string, unknown>, originalNames)
    if (Array.isArray(schema.required)) {
      const aliases = new Map([...originalNames].map(([alias, name]) => [name, alias]))
      schema.required = schema.required.map((name: string) => aliases.get(name) ?? name)
    }
    this.#requireLength(jsonLength(schema))
    return { schema, notes: this.#notes, originalNames }
  }

  #requireLength(length: number): void {
    if (length > maxLength)
      throw new UnusableSchema(`The tool’s inputSchema is longer than ${maxLength.toLocaleString('en-US')} characters.`)
  }

  #repairSchema(input: unknown, depth: number): unknown {
    this.#nodeCount += 1
    if (depth > maxDepth || this.#nodeCount > maxNodes) throw new UnusableSchema('The tool’s inputSchema is too large.')
    if (input === false) return false
    if (!isObject(input)) return {}
    const entries = Object.entries(hoistRequired(input))
      .filter(([keyword, value]) => value !== null || keyword === 'default' || keyword === 'const')
      .flatMap(([keyword, value]) => this.#repairKeyword(keyword, value, input, depth))
    const schema: Record<string, unknown> = Object.fromEntries(entries)
    if ([schema.type].flat().includes('array') && schema.items === undefined) schema.items = {}
    if (isObject(schema.properties) && Array.isArray(schema.required)) {
      const properties = schema.properties
      const undescribedNames = schema.required.filter((name: string) => !Object.hasOwn(properties, name))
      schema.properties = Object.fromEntries([
        ...Object.entries(properties),
        ...undescribedNames.map((name: string) => [name, {}]),
      ])
    }
    return schema
  }

  #repairKeyword(keyword: string, value: unknown, input: Record<string, unknown>, depth: number): [string, unknown][] {
    if (keyword === 'id' || (keyword.startsWith('$') && keyword !== '$ref' && keyword !== '$defs')) return []
    if (keyword === 'type') {
      const types = toTypes(value)
      return types.length === 0 ? [] : [['type', types.length === 1 ? types[0] : types]]
    }
    if (keyword === '$ref') return this.#findDefinition(value) === undefined ? [] : [[keyword, value]]
    if (keyword === 'items' && Array.isArray(value)) {
      const items = value.map((item) => this.#repairSchema(item, depth + 1))
      const [onlyItem = {}] = items
      return [['items', items.length > 1 ? { anyOf: items } : onlyItem]]
    }
    if (schemaKeywords.has(keyword)) {
      const isSchema = isObject(value) || typeof value === 'boolean'
      const nested = typeof value === 'boolean' && keyword !== 'items' ? value : this.#repairSchema(value, depth + 1)
      return isSchema ? [[keyword, nested]] : []
    }
    if (schemaListKeywords.has(keyword)) {
      if (!Array.isArray(value) || value.length === 0) return []
      return [[keyword, value.map((item) => this.#repairSchema(item, depth + 1))]]
    }
    if (schemaMapKeywords.has(keyword)) {
      if (!isObject(value)) return []
      const repaired = Object.entries(value).map(([name, nested]) => [name, this.#repairSchema(nested, depth + 1)])
      return [[keyword, Object.fromEntries(repaired)]]
    }
    if (keyword === 'required') {
      const names = Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
      return names.length === 0 ? [] : [[keyword, [...new Set(names)]]]
    }
    if (keyword === 'enum') return Array.isArray(value) && value.length > 0 ? [[keyword, value]] : []
    if (keyword === 'pattern') return isPattern(value) ? [[keyword, value]] : []
    if (keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum') {
      // In JSON Schema draft 4, this keyword is a boolean next to the limit.
      const limit = value === true ? input[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'] : value
      return typeof limit === 'number' ? [[keyword, limit]] : []
    }
    if (keyword === 'description' || keyword === 'title') return typeof value === 'string' ? [[keyword, value]] : []
    if (dataKeywords.has(keyword) || !isObject(value)) return [[keyword, value]]
    // Unknown keyword: its depth can't be checked.
    return []
  }

  #findDefinition(ref: unknown): unknown {
    const [, container = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(ref)) ?? []
    const definitions = this.#input[container]
    const key = decodeURIComponentSafely(name)
    return isObject(definitions) && Object.hasOwn(definitions, key) ? definitions[key] : undefined
  }

  #removeRefusedKeywords(input: Record<string, unknown>): Record<string, unknown> {
    let schema = input
    const target = this.#resolveDefinition(schema.$ref)
    if (target) schema = { ...target, ...schema, $ref: undefined }
    for (const combinator of combinators) {
      const branches = schema[combinator] as unknown[] | undefined
      if (branches) schema = { ...schema, [combinator]: branches.map((branch) => this.#resolveBranch(branch)) }
    }
    schema = mergeBranches(schema)
    const repaired: Record<string, unknown> = { ...schema, type: 'object', properties: schema.properties ?? {} }
    for (const keyword of refusedTopLevelKeywords) {
      const rule = repaired[keyword]
      delete repaired[keyword]
      if (rule !== undefined && keyword !== '$ref') this.#notes.push(describeRule(keyword, rule))
    }
    return repaired
  }

  #resolveBranch(branch: unknown): unknown {
    const target = isObject(branch) && this.#resolveDefinition(branch.$ref)
    return target ? { ...target, ...branch, $ref: undefined } : branch
  }

  #resolveDefinition(ref: unknown): Record<string, unknown> | undefined {
    const definition = this.#findDefinition(ref)
    if (!isObject(definition)) return undefined
    // A short schema can reference a long definition many times.
    this.#resolvedLength += jsonLength(definition)
    this.#requireLength(this.#resolvedLength)
    return this.#repairSchema(definition, 1) as Record<string, unknown>
  }

  #renameArguments(properties: Record<string, unknown>, originalNames: Map<string, string>): Record<string, unknown> {
    const takenNames = new Set(Object.keys(properties))
    const lastNumbers = new Map<string, number>()
    return Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => {
        if (acceptedNamePattern.test(name)) return [name, schema]
        const base = name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, maxAliasBaseLength) || '_'
        let number = lastNumbers.get(base) ?? 1
        let alias = base
        while (takenNames.has(alias)) alias = `${base}_${++number}`
        lastNumbers.set(base, number)
        takenNames.add(alias)
        originalNames.set(alias, name)
        return [alias, schema]
      }),
    )
  }
}

function hoistRequired(input: Record<string, unknown>): Record<string, unknown> {
  const { properties } = input
  if (!isObject(properties) || !Array.isArray(properties.required)) return input
  const { required, ...realProperties } = properties
  return { required, ...input, properties: realProperties }
}

function mergeBranches(schema: Record<string, unknown>): Record<string, unknown> {
  let merged = schema
  for (const combinator of combinators) {
    const branches = (schema[combinator] as unknown[] | undefined)?.filter(isObject) ?? []
    const describedBranches = branches.filter((branch) => isObject(branch.properties))
    if (describedBranches.length === 0) continue
    const properties = new Map(Object.entries((merged.properties ?? {}) as Record<string, unknown>))
    const entries = describedBranches.flatMap((branch) => Object.entries(branch.properties as Record<string, unknown>))
    const alternatives = Map.groupBy(
      entries.filter(([name]) => !properties.has(name)),
      ([name]) => name,
    )
    for (const [name, sameNamed] of alternatives) {
      const distinctSchemas = [
        ...new Map(sameNamed.map(([, property]) => [JSON.stringify(property), property])).values(),
      ]
      properties.set(name, distinctSchemas.length === 1 ? distinctSchemas[0] : { anyOf: distinctSchemas })
    }
    const required = listRequired(branches, { isAnyEnough: combinator === 'allOf' }).filter((name) =>
      properties.has(name),
    )
    const alreadyRequired = Array.isArray(merged.required) ? merged.required : []
    const allRequired = [...new Set([...alreadyRequired, ...required])]
    // `additionalProperties: false` of one branch is dropped, because it would forbid arguments of the others.
    merged = {
      ...merged,
      properties: Object.fromEntries(properties),
      ...(allRequired.length > 0 && { required: allRequired }),
    }
  }
  return merged
}

function listRequired(branches: Record<string, unknown>[], { isAnyEnough }: { isAnyEnough: boolean }): string[] {
  const names = branches.flatMap(({ required }) => (Array.isArray(required) ? (required as string[]) : []))
  const occurrences = Map.groupBy(names, (name) => name)
  return [...occurrences.keys()].filter((name) => isAnyEnough || occurrences.get(name)?.length === branches.length)
}

function describeRule(keyword: string, rule: unknown): string {
  const text = jsonLength(rule) > maxLength ? '(too long)' : JSON.stringify(rule)
  const truncated = text.length > maxNoteLength ? `${text.slice(0, maxNoteLength)}…` : text
  return `The arguments must also fit the JSON Schema rule "${keyword}": ${truncated}`
}

function toTypes(type: unknown): string[] {
  const names = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string')
  const normalizedNames = names.map((name) => typeAliases[name.toLowerCase()] ?? name.toLowerCase())
  return [...new Set(normalizedNames.filter((name) => schemaTypes.includes(name)))]
}

function jsonLength(value: unknown): number {
  try {
    return JSON.stringify(value).length
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}

function isPattern(pattern: unknown): boolean {
  try {
    return typeof pattern === 'string' && pattern.length <= maxPatternLength && Boolean(new RegExp(pattern, 'u'))
  } catch {
    return false
  }
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return text
  }
}
