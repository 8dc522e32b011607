import { expect, it } from 'vitest'
import { branchPath, riverHeight, riverPath, riverPoints, riverWidth } from './river-points.ts'

it('points run left to right and the line passes through all of them', () => {
  const points = riverPoints(40)
  for (const [at, { x, y }] of points.entries()) {
    expect(x).toBeGreaterThan(points[at - 1]?.x ?? 0)
    expect(x).toBeLessThan(riverWidth(40))
    expect(y).toBeGreaterThan(16)
    expect(y).toBeLessThan(riverHeight - 16)
  }
  const line = riverPath(points)
  expect(points.filter(({ x, y }) => !line.includes(`${x} ${y}`))).toEqual([])
})

it('a river without points has no line, and branches from one point diverge', () => {
  expect(riverPath([])).toBe('')
  const point = { x: 10, y: 20 }
  expect(branchPath(point, 0)).not.toBe(branchPath(point, 1))
})
