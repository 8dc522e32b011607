import { expect, test } from 'vitest'
import type { Frame } from '#contract/boards/boards.ts'
import { buildFrame, getFrameBox, setFrameBoxes, toDocument } from '../document/board-document.ts'
import { alignFrames, distributeFrames, findFreeSpot, findSpotWithin, nudgeFrames } from './place-frames.ts'

const createFrameAt = (x: number, y: number, width = 200, height = 100): Frame =>
  buildFrame('process_frame', { position: { x, y }, size: { width, height } })
const getPositions = (frames: readonly Frame[], boxes: ReadonlyMap<string, { x: number; y: number }>) =>
  frames.map(({ id }) => [boxes.get(id)?.x, boxes.get(id)?.y])

test('aligns to the outermost frame and keeps sizes', () => {
  const frames = [createFrameAt(0, 0), createFrameAt(300, 200, 400, 300)]
  expect(getPositions(frames, alignFrames(frames, 'left'))).toEqual([
    [0, 0],
    [0, 200],
  ])
  expect(getPositions(frames, alignFrames(frames, 'center'))).toEqual([
    [250, 0],
    [150, 200],
  ])
  expect(getPositions(frames, alignFrames(frames, 'right'))).toEqual([
    [500, 0],
    [300, 200],
  ])
  expect(getPositions(frames, alignFrames(frames, 'top'))).toEqual([
    [0, 0],
    [300, 0],
  ])
  expect(getPositions(frames, alignFrames(frames, 'middle'))).toEqual([
    [0, 200],
    [300, 100],
  ])
  expect(getPositions(frames, alignFrames(frames, 'bottom'))).toEqual([
    [0, 400],
    [300, 200],
  ])
  expect([...alignFrames(frames, 'bottom').values()].map(({ width, height }) => [width, height])).toEqual([
    [200, 100],
    [400, 300],
  ])
})

test('distributes with equal gaps and keeps the outer two in place', () => {
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
  const off = { ...first, data: { ...first.data, position: { x: 7, y: -13 } } }
  expect(getPositions([off, other], nudgeFrames([off, other], { x: 1, y: 0 }))).toEqual([
    [20, -13],
    [313, 40],
  ])
  expect(getPositions([off, other], nudgeFrames([off, other], { x: -1, y: -5 }))).toEqual([
    [0, -100],
    [293, -47],
  ])
})

test('places whole pixels within limits and reuses unchanged frames', () => {
  const [moved, still] = [createFrameAt(0, 0), createFrameAt(300, 0)]
  const document = { config: {} as never, frames: [moved, still] }
  const updated = setFrameBoxes(new Map([[moved.id, { x: 12.4, y: 2e6, width: 3, height: 9999 }]]))(document)
  expect(updated.frames.map(getFrameBox)[0]).toEqual({ x: 12, y: 100_000, width: 120, height: 2000 })
  expect(updated.frames[1]).toBe(still)
  expect(setFrameBoxes(new Map([[still.id, getFrameBox(still)]]))(document)).toBe(document)
  expect(toDocument(document)).toEqual(document)
})

test('finds the free spot closest to the center of the visible area', () => {
  const size = { width: 300, height: 200 }
  const part = { x: 10, y: 10, width: 1000, height: 620 }
  expect(findSpotWithin([], size, part)).toEqual({ x: 360, y: 220 })
  const frames: Frame[] = []
  for (let count = 0; count < 6; count++) {
    const position = findSpotWithin(frames, size, part)
    if (!position) break
    expect([position.x % 20, position.y % 20].map(Math.abs)).toEqual([0, 0])
    expect([position.x >= 10, position.y >= 10, position.x <= 710, position.y <= 430]).not.toContain(false)
    frames.push(createFrameAt(position.x, position.y, size.width, size.height))
  }
  expect(frames.length).toBeGreaterThan(2)
  // The only free space is in a corner, two grid steps from the other frames.
  const wall = [createFrameAt(20, 20, 640, 600), createFrameAt(700, 260, 300, 360)]
  expect(findSpotWithin(wall, size, part)).toEqual({ x: 680, y: 40 })
  expect(findSpotWithin([createFrameAt(0, 0, 1000, 700)], size, part)).toBeUndefined()
  expect(findSpotWithin([], { width: 1200, height: 200 }, part)).toBeUndefined()
  expect(findSpotWithin([], size, { x: 99_900, y: 0, width: 1000, height: 600 })?.x).toBeLessThanOrEqual(100_000)
})

test('adds frames in the center or next to others, on the grid without overlap', () => {
  const size = { width: 300, height: 200 }
  expect(findFreeSpot([], size, { x: 400, y: 300 })).toEqual({ x: 260, y: 200 })
  const frames: Frame[] = []
  for (let count = 0; count < 40; count++) {
    const position = findFreeSpot(frames, size, { x: 400, y: 300 })
    expect([position.x % 20, position.y % 20].map(Math.abs)).toEqual([0, 0])
    frames.push(createFrameAt(position.x, position.y, size.width, size.height))
  }
  const boxes = frames.map(getFrameBox)
  const overlapping = boxes.filter((a, index) =>
    boxes.some(
      (b, other) =>
        other !== index && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
    ),
  )
  expect(overlapping).toEqual([])
  expect(Math.max(...boxes.map(({ x }) => Math.abs(x)))).toBeLessThan(2000)
})
