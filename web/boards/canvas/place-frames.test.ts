import { expect, test } from 'vitest'
import type { Frame } from '#contract/boards/boards.ts'
import { boxOf, documentOf, makeFrame } from '../document/board-document.ts'
import { aligned, distributed, freeSpot, nudged, putFrames, spotWithin } from './place-frames.ts'

const at = (x: number, y: number, width = 200, height = 100): Frame =>
  makeFrame('process_frame', { position: { x, y }, size: { width, height } })
const places = (frames: readonly Frame[], boxes: ReadonlyMap<string, { x: number; y: number }>) =>
  frames.map(({ id }) => [boxes.get(id)?.x, boxes.get(id)?.y])

test('aligns to the outermost frame and keeps sizes', () => {
  const frames = [at(0, 0), at(300, 200, 400, 300)]
  expect(places(frames, aligned(frames, 'left'))).toEqual([
    [0, 0],
    [0, 200],
  ])
  expect(places(frames, aligned(frames, 'centre'))).toEqual([
    [250, 0],
    [150, 200],
  ])
  expect(places(frames, aligned(frames, 'right'))).toEqual([
    [500, 0],
    [300, 200],
  ])
  expect(places(frames, aligned(frames, 'top'))).toEqual([
    [0, 0],
    [300, 0],
  ])
  expect(places(frames, aligned(frames, 'middle'))).toEqual([
    [0, 200],
    [300, 100],
  ])
  expect(places(frames, aligned(frames, 'bottom'))).toEqual([
    [0, 400],
    [300, 200],
  ])
  expect([...aligned(frames, 'bottom').values()].map(({ width, height }) => [width, height])).toEqual([
    [200, 100],
    [400, 300],
  ])
})

test('distributes with equal gaps and keeps the outer two in place', () => {
  const frames = [at(1000, 0), at(0, 0), at(220, 0), at(300, 0)]
  const boxes = distributed(frames, 'x')
  expect(places(frames, boxes)).toEqual([
    [1000, 0],
    [0, 0],
    [333, 0],
    [667, 0],
  ])
  expect(distributed(frames.slice(0, 2), 'x').size).toBe(0)
})

test('arrows move by grid steps and bring frames onto the grid', () => {
  const [held, other] = [at(0, 0), at(300, 40)]
  const off = { ...held, data: { ...held.data, position: { x: 7, y: -13 } } }
  expect(places([off, other], nudged([off, other], { x: 1, y: 0 }))).toEqual([
    [20, -13],
    [313, 40],
  ])
  expect(places([off, other], nudged([off, other], { x: -1, y: -5 }))).toEqual([
    [0, -100],
    [293, -47],
  ])
})

test('places whole pixels within limits and reuses unchanged frames', () => {
  const [moved, still] = [at(0, 0), at(300, 0)]
  const document = { config: {} as never, frames: [moved, still] }
  const after = putFrames(new Map([[moved.id, { x: 12.4, y: 2e6, width: 3, height: 9999 }]]))(document)
  expect(after.frames.map(boxOf)[0]).toEqual({ x: 12, y: 100_000, width: 120, height: 2000 })
  expect(after.frames[1]).toBe(still)
  expect(putFrames(new Map([[still.id, boxOf(still)]]))(document)).toBe(document)
  expect(documentOf(document)).toEqual(document)
})

test('finds the free spot closest to the center of the visible area', () => {
  const size = { width: 300, height: 200 }
  const part = { x: 10, y: 10, width: 1000, height: 620 }
  expect(spotWithin([], size, part)).toEqual({ x: 360, y: 220 })
  const frames: Frame[] = []
  for (let count = 0; count < 6; count++) {
    const position = spotWithin(frames, size, part)
    if (!position) break
    expect([position.x % 20, position.y % 20].map(Math.abs)).toEqual([0, 0])
    expect([position.x >= 10, position.y >= 10, position.x <= 710, position.y <= 430]).not.toContain(false)
    frames.push(at(position.x, position.y, size.width, size.height))
  }
  expect(frames.length).toBeGreaterThan(2)
  // The only free space is in a corner, two grid steps from the other frames.
  const wall = [at(20, 20, 640, 600), at(700, 260, 300, 360)]
  expect(spotWithin(wall, size, part)).toEqual({ x: 680, y: 40 })
  expect(spotWithin([at(0, 0, 1000, 700)], size, part)).toBeUndefined()
  expect(spotWithin([], { width: 1200, height: 200 }, part)).toBeUndefined()
  expect(spotWithin([], size, { x: 99_900, y: 0, width: 1000, height: 600 })?.x).toBeLessThanOrEqual(100_000)
})

test('adds frames in the center or next to others, on the grid without overlap', () => {
  const size = { width: 300, height: 200 }
  expect(freeSpot([], size, { x: 400, y: 300 })).toEqual({ x: 260, y: 200 })
  const frames: Frame[] = []
  for (let count = 0; count < 40; count++) {
    const position = freeSpot(frames, size, { x: 400, y: 300 })
    expect([position.x % 20, position.y % 20].map(Math.abs)).toEqual([0, 0])
    frames.push(at(position.x, position.y, size.width, size.height))
  }
  const boxes = frames.map(boxOf)
  const overlapping = boxes.filter((a, index) =>
    boxes.some(
      (b, other) =>
        other !== index && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height,
    ),
  )
  expect(overlapping).toEqual([])
  expect(Math.max(...boxes.map(({ x }) => Math.abs(x)))).toBeLessThan(2000)
})
