import { anything, assert, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { repairToolSchema } from './repair-tool-schema.ts'

const repair = (input: unknown) => {
  const result = repairToolSchema(input)
  if ('problem' in result) throw new Error(result.problem)
  return result
}
const getProblem = (input: unknown) => {
  const result = repairToolSchema(input)
  return 'problem' in result ? result.problem : null
}

const createNames = (length: number) => Array.from({ length }, (_, index) => `p${index}`)

describe('a tool schema', () => {
  it.each([
    [{ type: 'object' }],
    [{}],
    [{ properties: null, required: null }],
    [{ type: ['object', 'null'], $schema: 'http://json-schema.org/draft-04/schema#' }],
    [{ type: 'dict', required: 'name' }],
  ])('%j gets a type and properties', (input) => {
    expect(repair(input)).toEqual({ schema: { type: 'object', properties: {} }, notes: [], originalNames: new Map() })
  })

  it.each([
    [null, 'The tool has no inputSchema.'],
    [undefined, 'The tool has no inputSchema.'],
    ['object', 'The tool’s inputSchema is not an object.'],
    [[{ type: 'object' }], 'The tool’s inputSchema is not an object.'],
    [
      { type: 'string', description: 'the title' },
      'The tool’s inputSchema describes a string, not an object of arguments.',
    ],
    [{ type: 'array' }, 'The tool’s inputSchema describes an array, not an object of arguments.'],
    [{ type: 'object', properties: ['coin'] }, 'The properties of the tool’s inputSchema are not an object.'],
  ])("%j can't be repaired, and the reason is a sentence", (input, problem) => {
    expect(getProblem(input)).toBe(problem)
  })

  it('loses keywords that providers refuse at the top level, with a note', () => {
    const properties = { body: { type: 'string' }, reaction: { type: 'string' } }
    const rule = [{ required: ['body'] }, { required: ['reaction'] }]
    expect(repair({ type: 'object', properties, anyOf: rule })).toMatchObject({
      schema: { type: 'object', properties },
      notes: [`The arguments must also fit the JSON Schema rule "anyOf": ${JSON.stringify(rule)}`],
    })
    const otherRules = {
      oneOf: rule,
      allOf: rule,
      enum: [{ body: 'a' }],
      not: { required: ['body'] },
      if: {},
      else: {},
    }
    const { schema, notes } = repair({ type: 'object', properties, ...otherRules })
    expect(schema).toEqual({ type: 'object', properties })
    expect(notes).toHaveLength(6)
  })

  it('has its list of required names moved to the top level', () => {
    const coin = { coin: { type: 'string' } }
    expect(repair({ type: 'object', properties: { ...coin, required: ['coin'] } }).schema).toEqual({
      type: 'object',
      properties: coin,
      required: ['coin'],
    })
  })

  it('keeps the arguments that only its branches describe', () => {
    const { schema } = repair({
      oneOf: [
        { type: 'object', properties: { kind: { const: 'a' }, size: { type: 'number' } }, required: ['kind', 'size'] },
        { $ref: '#/$defs/B' },
      ],
      $defs: {
        B: { type: 'object', properties: { kind: { const: 'b' }, name: { type: 'string' } }, required: ['kind'] },
      },
    })
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
        size: { type: 'number' },
        name: { type: 'string' },
      },
      required: ['kind'],
    })
    expect(schema).not.toHaveProperty('oneOf')
    const both = {
      allOf: [
        { properties: { a: {} }, required: ['a'] },
        { properties: { b: {} }, required: ['b'] },
      ],
    }
    expect(repair(both).schema).toEqual({ type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] })
  })

  it('can be a reference to one of its own definitions', () => {
    const definitions = { Query: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } }
    const { schema } = repair({ $ref: '#/definitions/Query', definitions })
    expect(schema).toMatchObject({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] })
    expect(schema).not.toHaveProperty('$ref')
    const { properties } = repair({
      properties: {
        a: { $ref: '#/definitions/Query' },
        b: { $ref: '#/definitions/None' },
        c: { $ref: 'https://x.example/s' },
      },
      definitions,
    }).schema
    expect(properties).toEqual({ a: { $ref: '#/definitions/Query' }, b: {}, c: {} })
  })

  it.each([
    ['a list or a text, without items', { type: ['string', 'array'] }, { type: ['string', 'array'], items: {} }],
    ['a list without items', { type: 'array' }, { type: 'array', items: {} }],
    [
      'a draft-4 tuple',
      { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    ['a type name from a programming language', { type: 'float' }, { type: 'number' }],
    ['an unknown type', { type: 'any', description: 'd' }, { description: 'd' }],
    [
      'draft-4 limits',
      { type: 'number', minimum: 0, exclusiveMinimum: true },
      { type: 'number', minimum: 0, exclusiveMinimum: 0 },
    ],
    [
      'null in optional fields',
      { type: 'string', title: null, description: null, enum: null, format: null },
      { type: 'string' },
    ],
    ['a default of null', { type: ['string', 'null'], default: null }, { type: ['string', 'null'], default: null }],
    ['an empty enum', { type: 'string', enum: [] }, { type: 'string' }],
    ['a pattern in another dialect', { type: 'string', pattern: '(?i)abc' }, { type: 'string' }],
    ['required as a flag', { type: 'string', required: true }, { type: 'string' }],
    [
      'a required name without a description',
      { type: 'object', properties: {}, required: ['x'] },
      { type: 'object', properties: { x: {} }, required: ['x'] },
    ],
    ['true', true, {}],
    [
      'a correct schema',
      { anyOf: [{ type: 'string' }, { type: 'null' }], not: { const: '' } },
      { anyOf: [{ type: 'string' }, { type: 'null' }], not: { const: '' } },
    ],
  ])('repairs an argument with %s', (_, input, expected) => {
    const { schema, notes } = repair({ type: 'object', properties: { x: input } })
    expect(schema.properties).toEqual({ x: expected })
    expect(notes).toEqual([])
  })

  it('keeps arguments named like keywords and renames those a provider refuses', () => {
    const { schema, originalNames } = repair({
      properties: {
        anyOf: { type: 'string' },
        required: {},
        $filter: {},
        _filter: {},
        'größe in cm': {},
        __proto__x: {},
      },
      required: ['$filter', 'anyOf'],
    })
    expect(Object.keys(schema.properties as object)).toEqual([
      ...['anyOf', 'required', '_filter_2', '_filter', 'gr__e_in_cm', '__proto__x'],
    ])
    expect(schema.required).toEqual(['_filter_2', 'anyOf'])
    expect([...originalNames]).toEqual([
      ['_filter_2', '$filter'],
      ['gr__e_in_cm', 'größe in cm'],
    ])
  })

  it('an oversized or deep hostile schema fails and pollutes no prototype', () => {
    const createNestedSchema = (depth: number) =>
      JSON.parse(`${'{"properties":{"x":'.repeat(depth)}{}${'}}'.repeat(depth)}`)
    expect(getProblem(createNestedSchema(10))).toBeNull()
    const tooLargeMessage = 'The tool’s inputSchema is too large.'
    const tooLongMessage = 'The tool’s inputSchema is longer than 100,000 characters.'
    expect(getProblem(createNestedSchema(50))).toBe(tooLargeMessage)
    expect(getProblem(createNestedSchema(100_000))).toBe(tooLongMessage)
    expect(getProblem({ enum: JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) })).toBe(tooLongMessage)
    expect(getProblem({ prefixItems: Array(20_000).fill({}) })).toBe(tooLargeMessage)
    expect(getProblem({ properties: { x: { description: 'x'.repeat(200_000) } } })).toBe(tooLongMessage)
    const { schema } = repair(JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'))
    expect(Object.getPrototypeOf(schema.properties)).toBe(Object.prototype)
    expect(Object.keys(schema.properties as object)).toEqual(['__proto__'])
  })

  it.each([
    [
      'refers to a long definition many times',
      { $defs: { a: { properties: {}, required: createNames(9000) } }, allOf: Array(200).fill({ $ref: '#/$defs/a' }) },
    ],
    [
      'names arguments that all get one accepted name',
      {
        required: Array.from({ length: 14_000 }, (_, index) =>
          String.fromCharCode(0x4e00 + (index % 120), 0x4e00 + index / 120),
        ),
      },
    ],
  ])('stays cheap where it %s', (_case, input) => {
    const started = process.cpuUsage()
    repairToolSchema({ properties: {}, ...input })
    const { user } = process.cpuUsage(started)
    expect(user / 1000).toBeLessThan(500)
  })

  it('is repaired idempotently, whatever it contains', () => {
    assert(
      property(anything({ withNullPrototype: false, maxDepth: 5 }), (input) => {
        const first = repairToolSchema(input)
        if ('problem' in first) return
        expect(first.schema.type).toBe('object')
        expect(first.schema.properties).toBeTypeOf('object')
        expect(repairToolSchema(first.schema)).toEqual({ ...first, notes: [], originalNames: new Map() })
      }),
    )
  })
})
