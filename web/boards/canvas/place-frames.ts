import { type Frame, frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import {
  type BoardEdit,
  type Box,
  getBoundingBox,
  getFrameBox,
  type Point,
  snapToGrid,
} from '../document/board-document.ts'

export type Boxes = ReadonlyMap<string, Box>

const clampRounded = (value: number, min: number, max: number) => Math.max(min, Math.min(max, Math.round(value))) + 0

/** Sets boxes by ID, rounded to whole pixels and clamped to the server's limits. */
export const setFrameBoxes =
  (boxes: Boxes): BoardEdit =>
  (document) => {
    let changed = false
    const frames = document.frames.map((frame) => {
      const box = boxes.get(frame.id)
      if (!box) return frame
      const { minSize: min, maxSize: max, maxCoordinate } = frameLimits
      const position = {
        x: clampRounded(box.x, -maxCoordinate, maxCoordinate),
        y: clampRounded(box.y, -maxCoordinate, maxCoordinate),
      }
      const size = {
        width: clampRounded(box.width, min.width, max.width),
        height: clampRounded(box.height, min.height, max.height),
      }
      const currentBox = getFrameBox(frame)
      if (
        currentBox.x === position.x &&
        currentBox.y === position.y &&
        currentBox.width === size.width &&
        currentBox.height === size.height
      )
        return frame
      changed = true
      return { ...frame, data: { ...frame.data, position, size } }
    })
    return changed ? { ...document, frames } : document
  }

const alignments = ['left', 'center', 'right', 'top', 'middle', 'bottom'] as const
export type Alignment = (typeof alignments)[number]

/** Aligns frames with the outermost of them. */
export function alignFrames(frames: readonly Frame[], alignment: Alignment): Boxes {
  const bounds = getBoundingBox(frames)
  if (!bounds) return new Map()
  const getPosition = (box: Box): Point => {
    switch (alignment) {
      case 'left':
        return { x: bounds.x, y: box.y }
      case 'center':
        return { x: bounds.x + (bounds.width - box.width) / 2, y: box.y }
      case 'right':
        return { x: bounds.x + bounds.width - box.width, y: box.y }
      case 'top':
        return { x: box.x, y: bounds.y }
      case 'middle':
        return { x: box.x, y: bounds.y + (bounds.height - box.height) / 2 }
      case 'bottom':
        return { x: box.x, y: bounds.y + bounds.height - box.height }
    }
  }
  return new Map(frames.map((frame) => [frame.id, { ...getFrameBox(frame), ...getPosition(getFrameBox(frame)) }]))
}

/** Equal gaps between neighbors; the outer two stay. */
export function distributeFrames(frames: readonly Frame[], axis: 'x' | 'y'): Boxes {
  const side = axis === 'x' ? 'width' : 'height'
  const sorted = frames.toSorted((a, b) => getFrameBox(a)[axis] - getFrameBox(b)[axis])
  const bounds = getBoundingBox(frames)
  if (!bounds || frames.length < 3) return new Map()
  const freeLength = bounds[side] - sorted.reduce((total, frame) => total + getFrameBox(frame)[side], 0)
  const gap = freeLength / (frames.length - 1)
  let nextStart = bounds[axis]
  return new Map(
    sorted.map((frame) => {
      const box = getFrameBox(frame)
      const placedBox = { ...box, [axis]: Math.round(nextStart) }
      nextStart += box[side] + gap
      return [frame.id, placedBox]
    }),
  )
}

/** Moves all frames by the same grid steps; the first one snaps to the grid. */
export function nudgeFrames(frames: readonly Frame[], steps: Point): Boxes {
  const first = frames[0]
  if (!first) return new Map()
  const getStepOffset = (value: number, stepCount: number) => {
    if (stepCount === 0) return 0
    const round = stepCount > 0 ? Math.floor : Math.ceil
    return round((value + stepCount * gridSpacing) / gridSpacing) * gridSpacing - value
  }
  const { x, y } = getFrameBox(first)
  const [offsetX, offsetY] = [getStepOffset(x, steps.x), getStepOffset(y, steps.y)]
  return new Map(
    frames.map((frame) => {
      const box = getFrameBox(frame)
      return [frame.id, { ...box, x: box.x + offsetX, y: box.y + offsetY }]
    }),
  )
}

type PlacedSize = Pick<Box, 'width' | 'height'>

/** Whether a frame of this size fits without overlap, with one grid step around it. */
function createFreeCheck(frames: readonly Frame[], { width, height }: PlacedSize) {
  const occupiedBoxes = frames.map(getFrameBox)
  return ({ x, y }: Point) => {
    const paddedBox = {
      x: x - gridSpacing,
      y: y - gridSpacing,
      width: width + 2 * gridSpacing,
      height: height + 2 * gridSpacing,
    }
    return !occupiedBoxes.some((box) => overlaps(box, paddedBox))
  }
}

const maxStepsPerAxis = 100

/** The free spot closest to the center of an area, entirely within it. */
export function findSpotWithin(frames: readonly Frame[], size: PlacedSize, area: Box): Point | undefined {
  const { maxCoordinate } = frameLimits
  const toFirstGridLine = (value: number) => Math.max(-maxCoordinate, Math.ceil(value / gridSpacing) * gridSpacing) + 0
  const [left, top] = [toFirstGridLine(area.x), toFirstGridLine(area.y)]
  const right = Math.min(maxCoordinate, area.x + area.width - size.width)
  const bottom = Math.min(maxCoordinate, area.y + area.height - size.height)
  // A large area is searched in wider steps.
  const step = gridSpacing * Math.ceil(Math.max(1, right - left, bottom - top) / gridSpacing / maxStepsPerAxis)
  const center = {
    x: snapToGrid(area.x + (area.width - size.width) / 2),
    y: snapToGrid(area.y + (area.height - size.height) / 2),
  }
  const candidates: Point[] = []
  if (center.x >= left && center.y >= top && center.x <= right && center.y <= bottom) candidates.push(center)
  for (let x = left; x <= right; x += step) for (let y = top; y <= bottom; y += step) candidates.push({ x, y })
  const getDistance = ({ x, y }: Point) => Math.hypot(x - center.x, y - center.y)
  return candidates.toSorted((a, b) => getDistance(a) - getDistance(b)).find(createFreeCheck(frames, size))
}

export function findFreeSpot(frames: readonly Frame[], size: PlacedSize, center: Point) {
  const start = { x: snapToGrid(center.x - size.width / 2), y: snapToGrid(center.y - size.height / 2) }
  const isFree = createFreeCheck(frames, size)
  if (isFree(start)) return start
  const step = gridSpacing * 2
  for (let radius = 1; radius <= 100; radius++) {
    const freePosition = getRingOffsets(radius)
      .map(({ x, y }) => ({ x: start.x + x * step, y: start.y + y * step }))
      .find(isFree)
    if (freePosition) return freePosition
  }
  return start
}

/** Offsets on a square ring, closest first. */
function getRingOffsets(radius: number): Point[] {
  const offsets: Point[] = []
  for (let offset = -radius; offset <= radius; offset++) {
    offsets.push({ x: radius, y: offset }, { x: -radius, y: offset })
    if (Math.abs(offset) < radius) offsets.push({ x: offset, y: radius }, { x: offset, y: -radius })
  }
  return offsets.toSorted((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y))
}
