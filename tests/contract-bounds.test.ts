import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { boundedRecord, maxJsonLength } from '#contract/bounds.ts'
import { listEndpoints } from '#contract/index.ts'
import { findUnbounded, walkSchema } from './contract-bounds.ts'

it('every list, map and text that a call takes has a maximum', () => {
  const unbounded: string[] = []
  let schemaCount = 0
  for (const { area, name, endpoint } of listEndpoints())
    for (const part of ['params', 'query', 'body'] as const) {
      const schema = endpoint[part]
      if (!schema) continue
      schemaCount += [...walkSchema(schema)].length
      unbounded.push(...findUnbounded(schema).map((missingBound) => `${area}.${name}, ${part}: ${missingBound}`))
    }
  expect(unbounded).toEqual([])
  expect(schemaCount).toBeGreaterThan(1000)
})

it.each([
  ['list', z.array(z.number()), 'a list'],
  [
    'list whose length is checked last',
    z.array(z.number()).check(
      z.refine(() => true),
      z.maxLength(3),
    ),
    'a list',
  ],
  ['list with only a minimum', z.array(z.number()).check(z.minLength(3)), 'a list'],
  ['list in a list', z.array(z.array(z.number())).check(z.maxLength(3)), 'a list'],
  ['list of one kind of value', z.union([z.number(), z.nullable(z.array(z.number()))]), 'a list'],
  ['list before it is changed', z.pipe(z.array(z.number()), z.transform(String)), 'a list'],
  ['map', z.record(z.string().check(z.maxLength(9)), z.number()), 'a map'],
  ['key', boundedRecord(z.string(), z.number(), 3), 'a text'],
  ['text', z.string(), 'a text'],
  ['text of an endless pattern', z.string().check(z.regex(/^a+$/)), 'a text'],
  ['text of a pattern that is not anchored', z.string().check(z.regex(/a/)), 'a text'],
  ['value of any kind', z.unknown(), 'a value'],
  ['object with more fields', z.looseObject({}), 'a value'],
  ['list in a bounded object', z.looseObject({ list: z.array(z.number()) }).check(maxJsonLength(9)), 'a list'],
])('findUnbounded reports an unbounded %s', (_, planted, missingBound) => {
  expect(findUnbounded(z.object({ planted: z.optional(planted) })).join()).toContain(missingBound)
})

it('findUnbounded accepts bounded schemas', () => {
  const bounded = z.object({
    list: z.array(z.number()).check(z.minLength(1), z.maxLength(3)),
    byName: z.record(z.enum(['a', 'b']), z.number()),
    map: boundedRecord(z.string().check(z.maxLength(9)), z.unknown(), 3).check(maxJsonLength(99)),
    day: z.iso.date(),
    code: z.string().check(z.regex(/^[a-z+*]{1,9}\+?$/)),
    others: z.looseObject({ text: z.string() }).check(maxJsonLength(99)),
  })
  expect(findUnbounded(bounded)).toEqual([])
})

it('a list or map that is too long is refused before its items are read', () => {
  let readCount = 0
  const item = z.unknown().check(z.refine(() => ++readCount > 0))
  const createMap = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]))
  for (const [schema, long, fitting] of [
    [z.array(item).check(z.maxLength(3, 'Send at most 3.')), Array(4).fill(1), Array(3).fill(1)],
    [boundedRecord(z.string(), item, 3, 'Send at most 3.'), createMap(4), createMap(3)],
    [boundedRecord(z.string(), item, 3, 'Send at most 3.').check(z.refine(() => true)), createMap(4), createMap(3)],
  ] as const) {
    readCount = 0
    expect(schema.safeParse(long).error?.issues.map(({ message }) => message)).toEqual(['Send at most 3.'])
    expect(readCount).toBe(0)
    expect(schema.safeParse(fitting).success).toBe(true)
    expect(readCount).toBe(3)
  }
})
