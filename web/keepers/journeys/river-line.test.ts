import { expect, it } from 'vitest'
import { getRiverPoints, getRiverWidth, riverHeight, toBranchPath, toRiverPath } from './river-line.tsx'

it('points run left to right and the line passes through all of them', () => {
  const points = getRiverPoints(40)
  for (const [index, { x, y }] of points.entries()) {
    expect(x).toBeGreaterThan(points[index - 1]?.x ?? 0)
    expect(x).toBeLessThan(getRiverWidth(40))
    expect(y).toBeGreaterThan(16)
    expect(y).toBeLessThan(riverHeight - 16)
  }
  const line = toRiverPath(points)
  expect(points.filter(({ x, y }) => !line.includes(`${x} ${y}`))).toEqual([])
})

it('a river without points has no line, and branches from one point diverge', () => {
  expect(toRiverPath([])).toBe('')
  const point = { x: 10, y: 20 }
  expect(toBranchPath(point, 0)).not.toBe(toBranchPath(point, 1))
})
