import { expect, test } from 'vitest'
import { getFitScale, getNextScale } from './canvas-layout.tsx'

test('fits a board without enlarging it or making it unreadable', () => {
  expect(getFitScale({ width: 500, height: 300 }, { width: 1000, height: 600 })).toBe(1)
  expect(getFitScale({ width: 1250, height: 300 }, { width: 1000, height: 600 })).toBe(0.8)
  expect(getFitScale({ width: 1000, height: 900 }, { width: 1000, height: 600 })).toBeCloseTo(0.667, 3)
  expect(getFitScale({ width: 20_000, height: 300 }, { width: 390, height: 600 })).toBe(0.5)
  expect(getFitScale({ width: 500, height: 300 }, { width: 0, height: 0 })).toBe(1)
})

test('steps up and down between fixed scales', () => {
  expect(getNextScale(0.8, 1)).toBe(1)
  expect(getNextScale(0.8, -1)).toBe(0.75)
  expect(getNextScale(1, 1)).toBe(1.5)
  expect(getNextScale(2, 1)).toBe(2)
  expect(getNextScale(0.1, -1)).toBe(0.1)
})
