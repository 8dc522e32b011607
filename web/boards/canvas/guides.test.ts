import { expect, test } from 'vitest'
import { type Guide, resizeBox, snapBox } from './guides.tsx'

const box = (x: number, y: number, width = 200, height = 100) => ({ x, y, width, height })
const grid = { snapsToGrid: true, reach: 7 }
const free = { snapsToGrid: false, reach: 7 }

test('with snapping on, a frame moves to the 20-pixel grid and shows guides', () => {
  const { offset, guides } = snapBox(box(109, 291), [box(500, 300), box(100, 900)], grid)
  expect(offset).toEqual({ x: -9, y: 9 })
  expect(guides).toContainEqual<Guide>({ axis: 'y', position: 300, start: 100, end: 700 })
  expect(guides).toContainEqual<Guide>({ axis: 'x', position: 100, start: 300, end: 1000 })
})

test('with snapping off, a frame keeps whole pixels and catches nearby edges', () => {
  expect(snapBox(box(113.4, 291.6), [box(900, 900)], free).offset).toEqual({ x: 113 - 113.4, y: 292 - 291.6 })
  const { offset, guides } = snapBox(box(113, 296), [box(500, 301)], free)
  expect(offset).toEqual({ x: 0, y: 5 })
  expect(guides.map(({ axis, position }) => `${axis} ${position}`)).toContain('y 301')
  expect(snapBox(box(113, 290), [box(500, 301)], free).guides).toEqual([])
})

test('also aligns to centers', () => {
  const { offset, guides } = snapBox(box(152, 400, 100, 100), [box(100, 0, 200, 100)], free)
  expect(offset.x).toBe(-2)
  expect(guides).toContainEqual<Guide>({ axis: 'x', position: 200, start: 0, end: 500 })
})

test('dragging a corner moves its two edges and keeps the opposite corner', () => {
  expect(resizeBox(box(100, 100), 'se', { x: 51, y: 29 }, [], grid).box).toEqual(box(100, 100, 260, 120))
  expect(resizeBox(box(100, 100), 'nw', { x: -51, y: -29 }, [], grid).box).toEqual(box(40, 80, 260, 120))
  expect(resizeBox(box(100, 100), 'ne', { x: 33, y: -33 }, [], free).box).toEqual(box(100, 67, 233, 133))
})

test('resizing respects the size limits and never flips a frame', () => {
  expect(resizeBox(box(100, 100), 'se', { x: -500, y: -500 }, [], grid).box).toEqual(box(100, 100, 120, 80))
  expect(resizeBox(box(100, 100), 'nw', { x: 500, y: 500 }, [], grid).box).toEqual(box(180, 120, 120, 80))
  expect(resizeBox(box(0, 0), 'se', { x: 9000, y: 9000 }, [], grid).box).toEqual(box(0, 0, 2000, 2000))
})

test('a dragged edge catches on another frame’s edge', () => {
  const { box: next, guides } = resizeBox(box(100, 100), 'se', { x: 47, y: 0 }, [box(353, 400)], free)
  expect(next.width).toBe(253)
  expect(guides.map(({ axis, position }) => `${axis} ${position}`)).toContain('x 353')
})
