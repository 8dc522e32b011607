import { useStore } from '@xyflow/react'
import { frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import type { Box, Point } from '../document/board-document.ts'
import { useCanvas, useObservable } from './canvas-context.ts'

/** An alignment line at `position` on the axis, spanning `start` to `end` on the other axis. */
export interface Guide {
  axis: 'x' | 'y'
  position: number
  start: number
  end: number
}

interface Snapping {
  /** If false, boxes snap to edges and centers of other boxes. */
  snapsToGrid: boolean
  /** Distance at which a box snaps to an edge or center, in canvas pixels. */
  maxDistance: number
}

type Axis = 'x' | 'y'
const sizeKeys = { x: 'width', y: 'height' } as const
const crossAxes = { x: 'y', y: 'x' } as const

const getLines = (box: Box, axis: Axis) => {
  const [start, length] = [box[axis], box[sizeKeys[axis]]]
  return [start, start + length / 2, start + length]
}
/** Adding zero turns minus zero into zero. */
export const roundToGrid = (value: number) => Math.round(value / gridSpacing) * gridSpacing + 0

/** The offset that snaps a box, and the resulting guides. */
export function snapBox(box: Box, otherBoxes: readonly Box[], snapping: Snapping): { offset: Point; guides: Guide[] } {
  const offset = { x: getSnapOffset(box, otherBoxes, 'x', snapping), y: getSnapOffset(box, otherBoxes, 'y', snapping) }
  const snappedBox = { ...box, x: box.x + offset.x, y: box.y + offset.y }
  return { offset, guides: findGuides(snappedBox, otherBoxes) }
}

function getSnapOffset(
  box: Box,
  otherBoxes: readonly Box[],
  axis: Axis,
  { snapsToGrid, maxDistance }: Snapping,
): number {
  const start = box[axis]
  if (snapsToGrid) return roundToGrid(start) - start
  const nearest = findNearestOffset(getLines(box, axis), otherBoxes, axis, maxDistance)
  return Math.round(start + (nearest ?? 0)) - start
}

/** The smallest offset to another box's edge or center within `maxDistance`. */
function findNearestOffset(
  boxLines: readonly number[],
  otherBoxes: readonly Box[],
  axis: Axis,
  maxDistance: number,
): number | undefined {
  let nearest: number | undefined
  for (const otherBox of otherBoxes)
    for (const line of getLines(otherBox, axis))
      for (const boxLine of boxLines) {
        const distance = line - boxLine
        if (Math.abs(distance) <= maxDistance && (nearest === undefined || Math.abs(distance) < Math.abs(nearest)))
          nearest = distance
      }
  return nearest
}

export type Corner = 'nw' | 'ne' | 'sw' | 'se'

export function resizeBox(
  box: Box,
  corner: Corner,
  pointerOffset: Point,
  otherBoxes: readonly Box[],
  snapping: Snapping,
): { box: Box; guides: Guide[] } {
  const draggedEdges = {
    x: corner.endsWith('w') ? 'start' : 'end',
    y: corner.startsWith('n') ? 'start' : 'end',
  } as const
  const resizedBox = { ...box }
  for (const axis of ['x', 'y'] as const) {
    const sizeKey = sizeKeys[axis]
    const [start, end] = [box[axis], box[axis] + box[sizeKey]]
    const draggedEdge = (draggedEdges[axis] === 'start' ? start : end) + pointerOffset[axis]
    const edgeOffset = findNearestOffset([draggedEdge], otherBoxes, axis, snapping.maxDistance) ?? 0
    const snappedEdge = snapping.snapsToGrid ? roundToGrid(draggedEdge) : Math.round(draggedEdge + edgeOffset)
    const length = Math.max(
      frameLimits.minSize[sizeKey],
      Math.min(frameLimits.maxSize[sizeKey], draggedEdges[axis] === 'start' ? end - snappedEdge : snappedEdge - start),
    )
    resizedBox[sizeKey] = length
    resizedBox[axis] = draggedEdges[axis] === 'start' ? end - length : start
  }
  return { box: resizedBox, guides: findGuides(resizedBox, otherBoxes) }
}

/** One guide per shared line, spanning all boxes on it. */
function findGuides(box: Box, otherBoxes: readonly Box[]): Guide[] {
  const guidesByLine = new Map<string, Guide>()
  for (const axis of ['x', 'y'] as const) {
    const boxLines = getLines(box, axis)
    const crossAxis = crossAxes[axis]
    for (const otherBox of otherBoxes) {
      for (const line of getLines(otherBox, axis)) {
        if (!boxLines.includes(line)) continue
        const key = `${axis}${line}`
        const guide = guidesByLine.get(key) ?? createGuide(axis, line, box, crossAxis)
        guide.start = Math.min(guide.start, otherBox[crossAxis])
        guide.end = Math.max(guide.end, otherBox[crossAxis] + otherBox[sizeKeys[crossAxis]])
        guidesByLine.set(key, guide)
      }
    }
  }
  return [...guidesByLine.values()]
}

const createGuide = (axis: Axis, position: number, box: Box, crossAxis: Axis): Guide => ({
  axis,
  position,
  start: box[crossAxis],
  end: box[crossAxis] + box[sizeKeys[crossAxis]],
})

/** Alignment guides, inside the transformed viewport. */
export function GuideLines() {
  const guides = useObservable(useCanvas().guides)
  const zoom = useStore(({ transform }) => transform[2])
  const lineWidth = 1 / zoom
  return guides.map(({ axis, position, start, end }) => (
    <div
      key={`${axis}${position}`}
      aria-hidden
      data-guide={axis}
      className="pointer-events-none absolute bg-ring"
      style={
        axis === 'x'
          ? { left: position - lineWidth / 2, top: start, width: lineWidth, height: end - start }
          : { left: start, top: position - lineWidth / 2, width: end - start, height: lineWidth }
      }
    />
  ))
}
