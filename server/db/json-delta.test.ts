import { array, assert, constantFrom, jsonValue, property, record, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyDelta, diffJson } from './json-delta.ts'

const roundTrip = (from: unknown, to: unknown) =>
  applyDelta(from, JSON.parse(JSON.stringify(diffJson(from, to) ?? null)) ?? undefined)
const expectRoundTrip = (from: unknown, to: unknown) => {
  expect(JSON.stringify(roundTrip(from, to) ?? null)).toHaveLength(JSON.stringify(to).length)
  expect(roundTrip(from, to)).toEqual(JSON.parse(JSON.stringify(to)))
}
const getDeltaSize = (from: unknown, to: unknown) => JSON.stringify(diffJson(from, to) ?? '').length
const longText = 'Long as it is, it stands there only once. '.repeat(5000)

describe('a JSON delta', () => {
  it('turns any value into any other', () => {
    assert(property(jsonValue(), jsonValue(), expectRoundTrip))
  })

  it('turns any list into any other that shares items by id', () => {
    const item = record({ id: constantFrom('a', 'b', 'c', 'd', 'e'), text: string(), deep: jsonValue() })
    assert(property(array(item), array(item), expectRoundTrip))
  })

  it('covers texts that differ anywhere and never splits a character', () => {
    // Two of these characters share the first half of their surrogate pair, two the second half.
    const unit = constantFrom('a', '😀', '😁', '🐀', '🀀')
    const text = string({ unit, minLength: 30, maxLength: 70 })
    const changed = property(
      text,
      text,
      string({ unit, maxLength: 3 }),
      string({ unit, maxLength: 3 }),
      (start, end, ...between) => {
        const [from, to] = [start + between[0] + end, start + between[1] + end]
        expect(JSON.stringify(diffJson(from, to) ?? '')).not.toMatch(/\\ud[89a-f]/)
        expect(roundTrip(from, to)).toBe(to)
      },
    )
    assert(changed, { numRuns: 500 })
  })

  it('is undefined between equal values', () => {
    const value = { list: [1, { id: 'a', deep: [null, 'x'] }], text: longText, none: {} }
    expect(diffJson(value, structuredClone(value))).toBeUndefined()
    expect(diffJson({ a: 1, b: undefined }, { a: 1 })).toBeUndefined()
    expect(diffJson([], [])).toBeUndefined()
  })

  it('is as long as the change, not as the values', () => {
    const items = Array.from({ length: 200 }, (_, index) => ({ id: `${index}`, text: longText.slice(0, 2000), x: 0 }))
    const moved = items.map((item) => (item.id === '7' ? { ...item, x: 20 } : item))
    expect(getDeltaSize(items, moved)).toBeLessThan(100)
    expect(getDeltaSize(items, [{ id: 'new', text: 'New' }, ...items])).toBeLessThan(100)
    expect(getDeltaSize(items, [...items.slice(100), ...items.slice(0, 100)])).toBeLessThan(100)
    expect(getDeltaSize({ title: 'One', body: longText }, { title: 'Two', body: longText })).toBeLessThan(100)
    expect(getDeltaSize(longText, `${longText.slice(0, 4000)}changed${longText.slice(4000)}`)).toBeLessThan(100)
  })

  it('keeps keys named like properties of every object', () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":2,"toString":3}')
    expect(Object.keys(roundTrip({}, odd) as object)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(roundTrip(odd, {})).toEqual({})
    expect(roundTrip(odd, { constructor: 5 })).toEqual({ constructor: 5 })
  })

  it('mutates neither value', () => {
    const from = Object.freeze({ list: Object.freeze([1, 2]) })
    expect(roundTrip(from, { list: [2, 3] })).toEqual({ list: [2, 3] })
    expect(from).toEqual({ list: [1, 2] })
  })
})
