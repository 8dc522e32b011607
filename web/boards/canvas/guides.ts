import { frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import type { Box, Point } from '../document/board-document.ts'

/** An alignment line at `at` on the axis, spanning `from` to `to` on the other axis. */
export interface Guide {
  axis: 'x' | 'y'
  at: number
  from: number
  to: number
}

export interface Snapping {
  /** Snap to the grid; otherwise boxes catch on other boxes' edges. */
  isOn: boolean
  /** Catch distance, in canvas pixels. */
  reach: number
}

type Axis = 'x' | 'y'
const sizeKeys = { x: 'width', y: 'height' } as const
const crossAxes = { x: 'y', y: 'x' } as const

const getLines = (box: Box, axis: Axis) => {
  const [start, length] = [box[axis], box[sizeKeys[axis]]]
  return [start, start + length / 2, start + length]
}
export const roundToGrid = (value: number) => Math.round(value / gridSpacing) * gridSpacing + 0

/** The offset that snaps a box, and the resulting guides. */
export function snapBox(box: Box, otherBoxes: readonly Box[], snapping: Snapping): { by: Point; guides: Guide[] } {
  const by = { x: getSnapOffset(box, otherBoxes, 'x', snapping), y: getSnapOffset(box, otherBoxes, 'y', snapping) }
  const placed = { ...box, x: box.x + by.x, y: box.y + by.y }
  return { by, guides: findGuides(placed, otherBoxes) }
}

function getSnapOffset(box: Box, otherBoxes: readonly Box[], axis: Axis, { isOn, reach }: Snapping): number {
  const start = box[axis]
  if (isOn) return roundToGrid(start) - start
  const nearest = findNearestOffset(getLines(box, axis), otherBoxes, axis, reach)
  return Math.round(start + (nearest ?? 0)) - start
}

/** The smallest offset to another box's edge or center within reach. */
function findNearestOffset(
  lines: readonly number[],
  otherBoxes: readonly Box[],
  axis: Axis,
  reach: number,
): number | undefined {
  let best: number | undefined
  for (const other of otherBoxes)
    for (const line of getLines(other, axis))
      for (const ownLine of lines) {
        const distance = line - ownLine
        if (Math.abs(distance) <= reach && (best === undefined || Math.abs(distance) < Math.abs(best))) best = distance
      }
  return best
}

export type Corner = 'nw' | 'ne' | 'sw' | 'se'

export function resizeBox(
  box: Box,
  corner: Corner,
  moved: Point,
  otherBoxes: readonly Box[],
  snapping: Snapping,
): { box: Box; guides: Guide[] } {
  const draggedEdges = {
    x: corner.endsWith('w') ? 'start' : 'end',
    y: corner.startsWith('n') ? 'start' : 'end',
  } as const
  const next = { ...box }
  for (const axis of ['x', 'y'] as const) {
    const side = sizeKeys[axis]
    const [start, end] = [box[axis], box[axis] + box[side]]
    const draggedEdge = (draggedEdges[axis] === 'start' ? start : end) + moved[axis]
    const catchOffset = findNearestOffset([draggedEdge], otherBoxes, axis, snapping.reach) ?? 0
    const line = snapping.isOn ? roundToGrid(draggedEdge) : Math.round(draggedEdge + catchOffset)
    const length = Math.max(
      frameLimits.minSize[side],
      Math.min(frameLimits.maxSize[side], draggedEdges[axis] === 'start' ? end - line : line - start),
    )
    next[side] = length
    next[axis] = draggedEdges[axis] === 'start' ? end - length : start
  }
  return { box: next, guides: findGuides(next, otherBoxes) }
}

/** One guide per shared line, spanning all boxes on it. */
function findGuides(box: Box, otherBoxes: readonly Box[]): Guide[] {
  const guidesByLine = new Map<string, Guide>()
  for (const axis of ['x', 'y'] as const) {
    const ownLines = getLines(box, axis)
    const crossAxis = crossAxes[axis]
    for (const other of otherBoxes) {
      for (const line of getLines(other, axis)) {
        if (!ownLines.includes(line)) continue
        const key = `${axis}${line}`
        const guide = guidesByLine.get(key) ?? createGuide(axis, line, box, crossAxis)
        guide.from = Math.min(guide.from, other[crossAxis])
        guide.to = Math.max(guide.to, other[crossAxis] + other[sizeKeys[crossAxis]])
        guidesByLine.set(key, guide)
      }
    }
  }
  return [...guidesByLine.values()]
}

const createGuide = (axis: Axis, at: number, box: Box, crossAxis: Axis): Guide => ({
  axis,
  at,
  from: box[crossAxis],
  to: box[crossAxis] + box[sizeKeys[crossAxis]],
})
