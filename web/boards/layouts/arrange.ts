import { type BoardLayout, type Frame, frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import { type Box, boxOf, snap, snapSize } from '../document/board-document.ts'
import { gridColumns } from './grid-columns.ts'

const gap = 2 * gridSpacing
const start = 3 * gridSpacing

/**
 * Where every frame stands when the board is laid out by a layout: on the 20 px grid, in reading order, none over
 * another, each in its size.
 */
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

/** As many columns as wanted, or as the canvas has room for: fewer where they are too wide, more where too high. */
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

/** Every column as wide as its widest frame, every row as high as its highest. */
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

/** The first frame, and the others in columns at its right, as far down as it makes sense. */
function aroundOne([first, ...others]: readonly Placed[]): Placed[] {
  if (!first) return []
  const left = start + first.width + gap
  const rest = inColumns(others, others.length > 6 ? 3 : others.length > 3 ? 2 : 1)
  return [{ ...first, x: start, y: start }, ...rest.map((frame) => ({ ...frame, x: frame.x - start + left }))]
}

/** Each near where it is: on the grid, and pushed down as far as it lies over one before it. */
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
