import { expect, test } from 'vitest'
import type { Frame } from '#contract/boards/boards.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import {
  buildFrame,
  containsBox,
  getFrameBox,
  type Point,
  setFrameBoxes,
  toDocument,
} from '../document/board-document.ts'
import { type Guide, resizeBox, snapBox } from './guides.tsx'
import { alignFrames, distributeFrames, findFreeSpot, findSpotWithin, nudgeFrames } from './place-frames.ts'

const createFrameAt = (x: number, y: number, width = 200, height = 100): Frame =>
  buildFrame('process_frame', { position: { x, y }, size: { width, height } })
const getPositions = (frames: readonly Frame[], boxes: ReadonlyMap<string, { x: number; y: number }>) =>
  frames.map(({ id }) => [boxes.get(id)?.x, boxes.get(id)?.y])

function expectOnGrid({ x, y }: Point) {
  expect(Math.abs(x % 20)).toBe(0)
  expect(Math.abs(y % 20)).toBe(0)
}

test.each([
  ['left', [0, 0], [0, 200]],
  ['center', [250, 0], [150, 200]],
  ['right', [500, 0], [300, 200]],
  ['top', [0, 0], [300, 0]],
  ['middle', [0, 200], [300, 100]],
  ['bottom', [0, 400], [300, 200]],
] as const)('aligning %s moves frames to the outermost one and keeps sizes', (alignment, ...positions) => {
  const frames = [createFrameAt(0, 0), createFrameAt(300, 200, 400, 300)]
  const boxes = alignFrames(frames, alignment)
  expect(getPositions(frames, boxes)).toEqual(positions)
  expect([...boxes.values()].map(({ width, height }) => [width, height])).toEqual([
    [200, 100],
    [400, 300],
  ])
})

test('distributed frames have equal gaps, and the outer two stay in place', () => {
  const frames = [createFrameAt(1000, 0), createFrameAt(0, 0), createFrameAt(220, 0), createFrameAt(300, 0)]
  const boxes = distributeFrames(frames, 'x')
  expect(getPositions(frames, boxes)).toEqual([
    [1000, 0],
    [0, 0],
    [333, 0],
    [667, 0],
  ])
  expect(distributeFrames(frames.slice(0, 2), 'x').size).toBe(0)
})

test('arrows move by grid steps and bring frames onto the grid', () => {
  const [first, other] = [createFrameAt(0, 0), createFrameAt(300, 40)]
  const offGridFrame = { ...first, data: { ...first.data, position: { x: 7, y: -13 } } }
  expect(getPositions([offGridFrame, other], nudgeFrames([offGridFrame, other], { x: 1, y: 0 }))).toEqual([
    [20, -13],
    [313, 40],
  ])
  expect(getPositions([offGridFrame, other], nudgeFrames([offGridFrame, other], { x: -1, y: -5 }))).toEqual([
    [0, -100],
    [293, -47],
  ])
})

test('setting boxes rounds to whole pixels within limits and reuses unchanged frames', () => {
  const [moved, still] = [createFrameAt(0, 0), createFrameAt(300, 0)]
  const document = { config: {} as never, frames: [moved, still] }
  const updated = setFrameBoxes(new Map([[moved.id, { x: 12.4, y: 2e6, width: 3, height: 9999 }]]))(document)
  expect(updated.frames.map(getFrameBox)[0]).toEqual({ x: 12, y: 100_000, width: 120, height: 2000 })
  expect(updated.frames[1]).toBe(still)
  expect(setFrameBoxes(new Map([[still.id, getFrameBox(still)]]))(document)).toBe(document)
  expect(toDocument(document)).toEqual(document)
})

test('a new frame gets the free spot closest to the center of the visible area', () => {
  const size = { width: 300, height: 200 }
  const area = { x: 10, y: 10, width: 1000, height: 620 }
  expect(findSpotWithin([], size, area)).toEqual({ x: 360, y: 220 })
  const frames: Frame[] = []
  for (let count = 0; count < 6; count++) {
    const position = findSpotWithin(frames, size, area)
    if (!position) break
    expectOnGrid(position)
    expect(containsBox(area, { ...position, ...size })).toBe(true)
    frames.push(createFrameAt(position.x, position.y, size.width, size.height))
  }
  expect(frames.length).toBeGreaterThan(2)
  // The only free space is in a corner, two grid steps from the other frames.
  const wall = [createFrameAt(20, 20, 640, 600), createFrameAt(700, 260, 300, 360)]
  expect(findSpotWithin(wall, size, area)).toEqual({ x: 680, y: 40 })
  expect(findSpotWithin([createFrameAt(0, 0, 1000, 700)], size, area)).toBeUndefined()
  expect(findSpotWithin([], { width: 1200, height: 200 }, area)).toBeUndefined()
  expect(findSpotWithin([], size, { x: 99_900, y: 0, width: 1000, height: 600 })?.x).toBeLessThanOrEqual(100_000)
})

test('new frames go to the center or next to others, on the grid without overlap', () => {
  const size = { width: 300, height: 200 }
  expect(findFreeSpot([], size, { x: 400, y: 300 })).toEqual({ x: 260, y: 200 })
  const frames: Frame[] = []
  for (let count = 0; count < 40; count++) {
    const position = findFreeSpot(frames, size, { x: 400, y: 300 })
    expectOnGrid(position)
    frames.push(createFrameAt(position.x, position.y, size.width, size.height))
  }
  const boxes = frames.map(getFrameBox)
  expect(boxes.some((placed, index) => boxes.slice(index + 1).some((other) => overlaps(placed, other)))).toBe(false)
  expect(Math.max(...boxes.map(({ x }) => Math.abs(x)))).toBeLessThan(2000)
})

const createBox = (x: number, y: number, width = 200, height = 100) => ({ x, y, width, height })
const gridSnapping = { snapsToGrid: true, maxDistance: 7 }
const edgeSnapping = { snapsToGrid: false, maxDistance: 7 }

test('with snapping on, a frame moves to the 20-pixel grid and shows guides', () => {
  const { offset, guides } = snapBox(createBox(109, 291), [createBox(500, 300), createBox(100, 900)], gridSnapping)
  expect(offset).toEqual({ x: -9, y: 9 })
  expect(guides).toContainEqual<Guide>({ axis: 'y', position: 300, start: 100, end: 700 })
  expect(guides).toContainEqual<Guide>({ axis: 'x', position: 100, start: 300, end: 1000 })
})

test('with snapping off, a frame keeps whole pixels and snaps to nearby edges', () => {
  expect(snapBox(createBox(113.4, 291.6), [createBox(900, 900)], edgeSnapping).offset).toEqual({
    x: 113 - 113.4,
    y: 292 - 291.6,
  })
  const { offset, guides } = snapBox(createBox(113, 296), [createBox(500, 301)], edgeSnapping)
  expect(offset).toEqual({ x: 0, y: 5 })
  expect(guides.map(({ axis, position }) => `${axis} ${position}`)).toContain('y 301')
  expect(snapBox(createBox(113, 290), [createBox(500, 301)], edgeSnapping).guides).toEqual([])
})

test('a frame also snaps to centers', () => {
  const { offset, guides } = snapBox(createBox(152, 400, 100, 100), [createBox(100, 0, 200, 100)], edgeSnapping)
  expect(offset.x).toBe(-2)
  expect(guides).toContainEqual<Guide>({ axis: 'x', position: 200, start: 0, end: 500 })
})

test('dragging a corner moves its two edges and keeps the opposite corner', () => {
  expect(resizeBox(createBox(100, 100), 'se', { x: 51, y: 29 }, [], gridSnapping).box).toEqual(
    createBox(100, 100, 260, 120),
  )
  expect(resizeBox(createBox(100, 100), 'nw', { x: -51, y: -29 }, [], gridSnapping).box).toEqual(
    createBox(40, 80, 260, 120),
  )
  expect(resizeBox(createBox(100, 100), 'ne', { x: 33, y: -33 }, [], edgeSnapping).box).toEqual(
    createBox(100, 67, 233, 133),
  )
})

test('resizing respects the size limits and never flips a frame', () => {
  expect(resizeBox(createBox(100, 100), 'se', { x: -500, y: -500 }, [], gridSnapping).box).toEqual(
    createBox(100, 100, 120, 80),
  )
  expect(resizeBox(createBox(100, 100), 'nw', { x: 500, y: 500 }, [], gridSnapping).box).toEqual(
    createBox(180, 120, 120, 80),
  )
  expect(resizeBox(createBox(0, 0), 'se', { x: 9000, y: 9000 }, [], gridSnapping).box).toEqual(
    createBox(0, 0, 2000, 2000),
  )
})

test('a dragged edge snaps to another frame’s edge', () => {
  const { box: next, guides } = resizeBox(
    createBox(100, 100),
    'se',
    { x: 47, y: 0 },
    [createBox(353, 400)],
    edgeSnapping,
  )
  expect(next.width).toBe(253)
  expect(guides.map(({ axis, position }) => `${axis} ${position}`)).toContain('x 353')
})
