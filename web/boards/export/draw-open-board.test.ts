import { expect, it } from 'vitest'
import { getScale } from './draw-open-board.ts'

it('an export uses the requested scale within the limits', () => {
  for (const scale of [1, 2]) expect(getScale({ width: 1440, height: 900 }, scale)).toBe(scale)
})

it.each([
  [200_000, 400],
  [200_000, 200_000],
  [9000, 9000],
])('an export of %i by %i is scaled down to what browsers can draw', (width, height) => {
  const scale = getScale({ width, height }, 2)
  expect(scale).toBeGreaterThan(0)
  expect(scale).toBeLessThan(2)
  expect(Math.max(width, height) * scale).toBeLessThanOrEqual(16_000)
  expect(width * height * scale ** 2).toBeLessThanOrEqual(64_000_001)
})
