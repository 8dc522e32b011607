import { type Frame, frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { type BoardEdit, type Box, getBoundingBox, getFrameBox, type Point, snap } from '../document/board-document.ts'

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

const alignments = ['left', 'centre', 'right', 'top', 'middle', 'bottom'] as const
export type Alignment = (typeof alignments)[number]

/** Aligns frames with the outermost of them. */
export function alignFrames(frames: readonly Frame[], alignment: Alignment): Boxes {
  const all = getBoundingBox(frames)
  if (!all) return new Map()
  const getPosition = (box: Box): Point => {
    switch (alignment) {
      case 'left':
        return { x: all.x, y: box.y }
      case 'centre':
        return { x: all.x + (all.width - box.width) / 2, y: box.y }
      case 'right':
        return { x: all.x + all.width - box.width, y: box.y }
      case 'top':
        return { x: box.x, y: all.y }
      case 'middle':
        return { x: box.x, y: all.y + (all.height - box.height) / 2 }
      case 'bottom':
        return { x: box.x, y: all.y + all.height - box.height }
    }
  }
  return new Map(frames.map((frame) => [frame.id, { ...getFrameBox(frame), ...getPosition(getFrameBox(frame)) }]))
}

/** Equal gaps between neighbors; the outer two stay. */
export function distributeFrames(frames: readonly Frame[], axis: 'x' | 'y'): Boxes {
  const side = axis === 'x' ? 'width' : 'height'
  const sorted = frames.toSorted((a, b) => getFrameBox(a)[axis] - getFrameBox(b)[axis])
  const all = getBoundingBox(frames)
  if (!all || frames.length < 3) return new Map()
  const free = all[side] - sorted.reduce((total, frame) => total + getFrameBox(frame)[side], 0)
  const gap = free / (frames.length - 1)
  let next = all[axis]
  return new Map(
    sorted.map((frame) => {
      const box = getFrameBox(frame)
      const placed = { ...box, [axis]: Math.round(next) }
      next += box[side] + gap
      return [frame.id, placed]
    }),
  )
}

/** Moves all frames by the same grid steps; the first one snaps to the grid. */
export function nudgeFrames(frames: readonly Frame[], steps: Point): Boxes {
  const first = frames[0]
  if (!first) return new Map()
  const getGridOffset = (value: number, by: number) => {
    if (by === 0) return 0
    const round = by > 0 ? Math.floor : Math.ceil
    return round((value + by * gridSpacing) / gridSpacing) * gridSpacing - value
  }
  const { x, y } = getFrameBox(first)
  const [right, down] = [getGridOffset(x, steps.x), getGridOffset(y, steps.y)]
  return new Map(
    frames.map((frame) => {
      const box = getFrameBox(frame)
      return [frame.id, { ...box, x: box.x + right, y: box.y + down }]
    }),
  )
}

type PlacedSize = Pick<Box, 'width' | 'height'>

/** Whether a frame of this size fits without overlap, with one grid step around it. */
function createFreeCheck(frames: readonly Frame[], { width, height }: PlacedSize) {
  const taken = frames.map(getFrameBox)
  return ({ x, y }: Point) => {
    const paddedBox = {
      x: x - gridSpacing,
      y: y - gridSpacing,
      width: width + 2 * gridSpacing,
      height: height + 2 * gridSpacing,
    }
    return !taken.some((box) => overlaps(box, paddedBox))
  }
}

const maxStepsPerAxis = 100

/** The free spot closest to the center of an area, entirely within it. */
export function findSpotWithin(frames: readonly Frame[], size: PlacedSize, part: Box): Point | undefined {
  const { maxCoordinate } = frameLimits
  const edge = (value: number) => Math.max(-maxCoordinate, Math.ceil(value / gridSpacing) * gridSpacing) + 0
  const [left, top] = [edge(part.x), edge(part.y)]
  const right = Math.min(maxCoordinate, part.x + part.width - size.width)
  const bottom = Math.min(maxCoordinate, part.y + part.height - size.height)
  // A large area is searched in wider steps.
  const step = gridSpacing * Math.ceil(Math.max(1, right - left, bottom - top) / gridSpacing / maxStepsPerAxis)
  const middle = {
    x: snap(part.x + (part.width - size.width) / 2),
    y: snap(part.y + (part.height - size.height) / 2),
  }
  const candidates: Point[] = []
  if (middle.x >= left && middle.y >= top && middle.x <= right && middle.y <= bottom) candidates.push(middle)
  for (let x = left; x <= right; x += step) for (let y = top; y <= bottom; y += step) candidates.push({ x, y })
  const far = ({ x, y }: Point) => Math.hypot(x - middle.x, y - middle.y)
  return candidates.toSorted((a, b) => far(a) - far(b)).find(createFreeCheck(frames, size))
}

export function findFreeSpot(frames: readonly Frame[], size: PlacedSize, middle: Point) {
  const start = { x: snap(middle.x - size.width / 2), y: snap(middle.y - size.height / 2) }
  const isFree = createFreeCheck(frames, size)
  if (isFree(start)) return start
  const step = gridSpacing * 2
  for (let ring = 1; ring <= 100; ring++) {
    const freePosition = getRing(ring)
      .map(({ x, y }) => ({ x: start.x + x * step, y: start.y + y * step }))
      .find(isFree)
    if (freePosition) return freePosition
  }
  return start
}

/** Offsets on a square ring, closest first. */
function getRing(ring: number): Point[] {
  const points: Point[] = []
  for (let at = -ring; at <= ring; at++) {
    points.push({ x: ring, y: at }, { x: -ring, y: at })
    if (Math.abs(at) < ring) points.push({ x: at, y: ring }, { x: at, y: -ring })
  }
  return points.toSorted((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y))
}
