import { type BoardLayout, type Frame, frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import { type Box, boxOf, snap, snapSize } from '../document/board-document.ts'
import { gridColumns } from './grid-columns.ts'

const gap = 2 * gridSpacing
const start = 3 * gridSpacing

/** Positions of frames in a layout: on the grid, in reading order, without overlap. */
export function arrangedBoxes(frames: readonly Frame[], layout: BoardLayout): Map<string, Box> {
  const sized = frames.map((frame) => ({ id: frame.id, ...boxOf(frame), ...snapSize(boxOf(frame)) }))
  const placed =
    layout === 'canvas'
      ? apart(sized)
      : layout === 'focus'
        ? aroundOne(sized)
        : inColumns(sized, layout === 'grid' ? gridColumns(sized.length) : layout === 'column' ? 1 : sized.length)
  return new Map(placed.map(({ id, ...box }) => [id, box]))
}

type Placed = Box & { id: string }

/** Adjusts the number of columns until the frames fit the canvas limits. */
function inColumns(frames: readonly Placed[], wanted: number): Placed[] {
  let columns = Math.max(1, wanted)
  let placed = columnsOf(frames, columns)
  while (columns > 1 && placed.some(({ x, width }) => x + width > frameLimits.farthest)) {
    columns = Math.ceil(columns / 2)
    placed = columnsOf(frames, columns)
  }
  while (columns < frames.length && placed.some(({ y, height }) => y + height > frameLimits.farthest)) {
    columns *= 2
    placed = columnsOf(frames, columns)
  }
  return placed
}

function columnsOf(frames: readonly Placed[], columns: number): Placed[] {
  const widths = new Array<number>(Math.min(columns, frames.length)).fill(0)
  for (const [at, { width }] of frames.entries()) widths[at % columns] = Math.max(widths[at % columns] ?? 0, width)
  const lefts: number[] = []
  let left = start
  for (const width of widths) {
    lefts.push(left)
    left += width + gap
  }
  let top = start
  const placed: Placed[] = []
  for (let first = 0; first < frames.length; first += columns) {
    const row = frames.slice(first, first + columns)
    placed.push(...row.map((frame, column) => ({ ...frame, x: lefts[column] ?? start, y: top })))
    top += Math.max(...row.map(({ height }) => height)) + gap
  }
  return placed
}

/** The first frame, with the others in columns to its right. */
function aroundOne([first, ...others]: readonly Placed[]): Placed[] {
  if (!first) return []
  const left = start + first.width + gap
  const rest = inColumns(others, others.length > 6 ? 3 : others.length > 3 ? 2 : 1)
  return [{ ...first, x: start, y: start }, ...rest.map((frame) => ({ ...frame, x: frame.x - start + left }))]
}

/** Snaps frames to the grid and pushes overlapping ones down. */
function apart(frames: readonly Placed[]): Placed[] {
  const placed: Placed[] = []
  for (const frame of [...frames].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const moved = { ...frame, x: snap(frame.x), y: snap(frame.y) }
    for (let under = overlapping(moved, placed); under; under = overlapping(moved, placed))
      moved.y = under.y + under.height + gridSpacing
    placed.push(moved)
  }
  return placed
}

function overlapping(box: Box, others: readonly Placed[]): Placed | undefined {
  return others.find(
    (other) =>
      box.x < other.x + other.width &&
      other.x < box.x + box.width &&
      box.y < other.y + other.height &&
      other.y < box.y + box.height,
  )
}
