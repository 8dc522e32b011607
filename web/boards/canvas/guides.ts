import { frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import type { Box, Point } from '../document/board-document.ts'

/** A line along which boxes are aligned: at this x (or y), from one end to the other. */
export interface Guide {
  axis: 'x' | 'y'
  at: number
  from: number
  to: number
}

export interface Snapping {
  /** Onto the grid. Without it boxes catch on the lines of others. */
  isOn: boolean
  /** Pixels of the canvas within which a line of another box catches. */
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

/** How far a box is moved on so that it stands where it should, and the lines it then shares with others. */
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

/** The shortest way from one of these lines to one of another box, if there is one in reach. */
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

/** A box whose corner is taken along by the pointer; the opposite corner stays. */
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

/** Lines that a box shares with others, each once, as long as all that share it. */
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
