import { expect, test } from 'vitest'
import { fitNameSize, getNameSize } from './canvas-context.ts'

test('a name is as large as the frame allows for its longest word', () => {
  expect(fitNameSize(64, 'Role Manager', 320)).toBe(64)
  expect(fitNameSize(64, 'Role Manager', 240)).toBe(51)
  expect(fitNameSize(44, '', 320)).toBe(44)
})

test('a long word makes the name smaller, but never unreadable', () => {
  expect(fitNameSize(64, 'Collaboration Network', 320)).toBe(38)
  expect(fitNameSize(64, 'Donaudampfschifffahrtsgesellschaft', 200)).toBe(24)
})

test('frames show only their name when they are zoomed out', () => {
  expect([1, 0.4, 0.3, 0.19].map(getNameSize)).toEqual([undefined, undefined, 44, 64])
})
