import { expect, test } from 'vitest'
import { Slots } from './worker-channel.ts'

test('a value is taken once by its number, which is then reused', () => {
  const slots = new Slots<{ name: string }>()
  const [first, second] = [slots.put({ name: 'first' }), slots.put({ name: 'second' })]
  expect(first).not.toBe(second)
  expect(slots.take(first)).toEqual({ name: 'first' })
  expect(slots.take(first)).toBeUndefined()
  expect(slots.put({ name: 'third' })).toBe(first)
  expect(slots.take(second)).toEqual({ name: 'second' })
  expect(slots.take(first)).toEqual({ name: 'third' })
})

test('an unused number is empty', () => {
  const slots = new Slots<object>()
  expect({ '0': slots.take(0), '-1': slots.take(-1), '1.5': slots.take(1.5) }).toEqual({
    '0': undefined,
    '-1': undefined,
    '1.5': undefined,
  })
})

test('taking all values leaves nothing', () => {
  const slots = new Slots<{ name: string }>()
  const numbers = ['a', 'b', 'c'].map((name) => slots.put({ name }))
  slots.take(numbers[1]!)
  expect(slots.takeAll()).toEqual([{ name: 'a' }, { name: 'c' }])
  expect({ takeAll: slots.takeAll(), take: slots.take(numbers[0]!) }).toEqual({ takeAll: [], take: undefined })
  expect(new Set(['d', 'e', 'f'].map((name) => slots.put({ name }))).size).toBe(3)
})
