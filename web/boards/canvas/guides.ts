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
const sideOf = { x: 'width', y: 'height' } as const
const across = { x: 'y', y: 'x' } as const

const linesOf = (box: Box, axis: Axis) => {
  const [start, length] = [box[axis], box[sideOf[axis]]]
  return [start, start + length / 2, start + length]
}
export const onGrid = (value: number) => Math.round(value / gridSpacing) * gridSpacing + 0

/** The offset that snaps a box, and the resulting guides. */
export function settle(box: Box, others: readonly Box[], snapping: Snapping): { by: Point; guides: Guide[] } {
  const by = { x: settled(box, others, 'x', snapping), y: settled(box, others, 'y', snapping) }
  const placed = { ...box, x: box.x + by.x, y: box.y + by.y }
  return { by, guides: guidesOf(placed, others) }
}

function settled(box: Box, others: readonly Box[], axis: Axis, { isOn, reach }: Snapping): number {
  const start = box[axis]
  if (isOn) return onGrid(start) - start
  const nearest = nearestLine(linesOf(box, axis), others, axis, reach)
  return Math.round(start + (nearest ?? 0)) - start
}

/** The smallest offset to another box's edge or center within reach. */
function nearestLine(lines: readonly number[], others: readonly Box[], axis: Axis, reach: number): number | undefined {
  let best: number | undefined
  for (const other of others)
    for (const line of linesOf(other, axis))
      for (const own of lines) {
        const way = line - own
        if (Math.abs(way) <= reach && (best === undefined || Math.abs(way) < Math.abs(best))) best = way
      }
  return best
}

export type Corner = 'nw' | 'ne' | 'sw' | 'se'

/** Resizes a box by dragging one corner; the opposite corner stays. */
export function resized(
  box: Box,
  corner: Corner,
  moved: Point,
  others: readonly Box[],
  snapping: Snapping,
): { box: Box; guides: Guide[] } {
  const pulls = { x: corner.endsWith('w') ? 'start' : 'end', y: corner.startsWith('n') ? 'start' : 'end' } as const
  const next = { ...box }
  for (const axis of ['x', 'y'] as const) {
    const side = sideOf[axis]
    const [start, end] = [box[axis], box[axis] + box[side]]
    const pulled = (pulls[axis] === 'start' ? start : end) + moved[axis]
    const caught = nearestLine([pulled], others, axis, snapping.reach) ?? 0
    const line = snapping.isOn ? onGrid(pulled) : Math.round(pulled + caught)
    const length = Math.max(
      frameLimits.least[side],
      Math.min(frameLimits.most[side], pulls[axis] === 'start' ? end - line : line - start),
    )
    next[side] = length
    next[axis] = pulls[axis] === 'start' ? end - length : start
  }
  return { box: next, guides: guidesOf(next, others) }
}

/** One guide per shared line, spanning all boxes on it. */
function guidesOf(box: Box, others: readonly Box[]): Guide[] {
  const found = new Map<string, Guide>()
  for (const axis of ['x', 'y'] as const) {
    const own = linesOf(box, axis)
    const along = across[axis]
    for (const other of others) {
      for (const line of linesOf(other, axis)) {
        if (!own.includes(line)) continue
        const key = `${axis}${line}`
        const guide = found.get(key) ?? spanning(axis, line, box, along)
        guide.from = Math.min(guide.from, other[along])
        guide.to = Math.max(guide.to, other[along] + other[sideOf[along]])
        found.set(key, guide)
      }
    }
  }
  return [...found.values()]
}

const spanning = (axis: Axis, at: number, box: Box, along: Axis): Guide => ({
  axis,
  at,
  from: box[along],
  to: box[along] + box[sideOf[along]],
})
