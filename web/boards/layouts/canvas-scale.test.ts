import { expect, test } from 'vitest'
import { fitScale, nextScale } from './canvas-scale.ts'

test('fits a board without enlarging it or making it unreadable', () => {
  expect(fitScale({ width: 500, height: 300 }, { width: 1000, height: 600 })).toBe(1)
  expect(fitScale({ width: 1250, height: 300 }, { width: 1000, height: 600 })).toBe(0.8)
  expect(fitScale({ width: 1000, height: 900 }, { width: 1000, height: 600 })).toBeCloseTo(0.667, 3)
  expect(fitScale({ width: 20_000, height: 300 }, { width: 390, height: 600 })).toBe(0.5)
  expect(fitScale({ width: 500, height: 300 }, { width: 0, height: 0 })).toBe(1)
})

test('steps up and down between fixed scales', () => {
  expect(nextScale(0.8, 1)).toBe(1)
  expect(nextScale(0.8, -1)).toBe(0.75)
  expect(nextScale(1, 1)).toBe(1.5)
  expect(nextScale(2, 1)).toBe(2)
  expect(nextScale(0.1, -1)).toBe(0.1)
})
