import { type Frame, frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { type Box, getBoundingBox, getFrameBox, type Point, snapToGrid } from '../document/board-document.ts'

export type Boxes = ReadonlyMap<string, Box>

const sizeKeys = { x: 'width', y: 'height' } as const

/** The axis, and the share of the free length before the frame. */
const alignments = {
  left: ['x', 0],
  center: ['x', 0.5],
  right: ['x', 1],
  top: ['y', 0],
  middle: ['y', 0.5],
  bottom: ['y', 1],
} as const
export type Alignment = keyof typeof alignments

/** Aligns frames with the outermost of them. */
export function alignFrames(frames: readonly Frame[], alignment: Alignment): Boxes {
  const bounds = getBoundingBox(frames)
  if (!bounds) return new Map()
  const [axis, share] = alignments[alignment]
  return moveBoxes(frames, (box) => ({ [axis]: bounds[axis] + (bounds[sizeKeys[axis]] - box[sizeKeys[axis]]) * share }))
}

const moveBoxes = (frames: readonly Frame[], move: (box: Box) => Partial<Box>): Boxes =>
  new Map(
    frames.map((frame) => {
      const box = getFrameBox(frame)
      return [frame.id, { ...box, ...move(box) }]
    }),
  )

/** Equal gaps between neighbors; the outer two stay. */
export function distributeFrames(frames: readonly Frame[], axis: 'x' | 'y'): Boxes {
  const sizeKey = sizeKeys[axis]
  const sorted = frames.toSorted((a, b) => getFrameBox(a)[axis] - getFrameBox(b)[axis])
  const bounds = getBoundingBox(frames)
  if (!bounds || frames.length < 3) return new Map()
  const freeLength = bounds[sizeKey] - sorted.reduce((total, frame) => total + getFrameBox(frame)[sizeKey], 0)
  const gap = freeLength / (frames.length - 1)
  let nextStart = bounds[axis]
  return moveBoxes(sorted, (box) => {
    const start = nextStart
    nextStart += box[sizeKey] + gap
    return { [axis]: Math.round(start) }
  })
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
  return moveBoxes(frames, (box) => ({ x: box.x + offsetX, y: box.y + offsetY }))
}

type PlacedSize = Pick<Box, 'width' | 'height'>

/** Returns a check whether a frame of this size fits at a position, with one grid step around it. */
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

const maxSearchRadius = 100

/** The free spot closest to the center, or the center if everything nearby is taken. */
export function findFreeSpot(frames: readonly Frame[], size: PlacedSize, center: Point) {
  const start = { x: snapToGrid(center.x - size.width / 2), y: snapToGrid(center.y - size.height / 2) }
  const isFree = createFreeCheck(frames, size)
  if (isFree(start)) return start
  const step = gridSpacing * 2
  for (let radius = 1; radius <= maxSearchRadius; radius++) {
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
