import { describe, expect, test } from 'vitest'
import { boardLayouts, type Frame, frameLimits } from '#contract/boards/boards.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { type Box, buildFrame } from '../document/board-document.ts'
import { arrangeFrames } from './arrange.ts'

const createFrame = (x: number, y: number, width = 300, height = 200) =>
  buildFrame('media_card', { position: { x, y }, size: { width, height } })

const arrangeToBoxes = (frames: Frame[], layout: (typeof boardLayouts)[number]) => {
  const boxes = arrangeFrames(frames, layout)
  return frames.map(({ id }) => boxes.get(id) as Box)
}

describe.each(boardLayouts)('arranged by %s', (layout) => {
  test('places frames on the grid without overlap, keeping sizes', () => {
    for (const count of [0, 1, 2, 3, 4, 5, 9, 40]) {
      const frames = Array.from({ length: count }, (_, index) =>
        createFrame((index % 3) * 100, (index % 2) * 60, 200 + (index % 4) * 40, 100 + (index % 5) * 60),
      )
      const boxes = arrangeToBoxes(frames, layout)
      expect(boxes).toHaveLength(count)
      for (const [index, box] of boxes.entries()) {
        expect(Object.values(box).every((value) => value % 20 === 0)).toBe(true)
        expect({ width: box.width, height: box.height }).toEqual(frames[index]?.data.size)
        expect(Math.max(Math.abs(box.x), Math.abs(box.y))).toBeLessThanOrEqual(frameLimits.maxCoordinate)
        for (const other of boxes.slice(index + 1)) expect(overlaps(box, other)).toBe(false)
      }
    }
  })
})

test('a grid has 2 columns, 3 from 5 frames on; a column has one, and a row one row', () => {
  const createFrames = (count: number) => Array.from({ length: count }, () => createFrame(0, 0))
  const countColumns = (boxes: Box[]) => new Set(boxes.map(({ x }) => x)).size
  const countRows = (boxes: Box[]) => new Set(boxes.map(({ y }) => y)).size
  expect(countColumns(arrangeToBoxes(createFrames(4), 'grid'))).toBe(2)
  expect(countColumns(arrangeToBoxes(createFrames(5), 'grid'))).toBe(3)
  expect(countColumns(arrangeToBoxes(createFrames(5), 'column'))).toBe(1)
  expect(countRows(arrangeToBoxes(createFrames(5), 'row'))).toBe(1)
})

test('focus puts all other frames to the right of the first', () => {
  const [first, ...otherBoxes] = arrangeToBoxes(
    [createFrame(0, 0, 600, 400), createFrame(0, 0), createFrame(0, 0), createFrame(0, 0)],
    'focus',
  )
  for (const other of otherBoxes) expect(other.x).toBeGreaterThanOrEqual((first?.x ?? 0) + 600)
})

test("canvas leaves frames that don't overlap in place", () => {
  const frames = [createFrame(60, 60), createFrame(400, 60), createFrame(60, 300)]
  expect(arrangeToBoxes(frames, 'canvas').map(({ x, y }) => [x, y])).toEqual([
    [60, 60],
    [400, 60],
    [60, 300],
  ])
})

test('1,000 frames of maximum size fit the canvas', () => {
  const frames = Array.from({ length: 1000 }, () => createFrame(0, 0, 2000, 2000))
  for (const layout of ['grid', 'column', 'row'] as const) {
    const boxes = arrangeToBoxes(frames, layout)
    expect(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(1000)
    for (const { x, y } of boxes) expect(Math.max(x, y)).toBeLessThanOrEqual(frameLimits.maxCoordinate - 2000)
  }
})
