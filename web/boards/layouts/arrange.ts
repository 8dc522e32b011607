import { type BoardLayout, type Frame, frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import { type Box, getFrameBox, snap, snapSize } from '../document/board-document.ts'
import { getGridColumns } from './grid-columns.ts'

const gap = 2 * gridSpacing
const start = 3 * gridSpacing

/** Positions of frames in a layout: on the grid, in reading order, without overlap. */
export function arrangeFrames(frames: readonly Frame[], layout: BoardLayout): Map<string, Box> {
  const sized = frames.map((frame) => ({ id: frame.id, ...getFrameBox(frame), ...snapSize(getFrameBox(frame)) }))
  const placed =
    layout === 'canvas'
      ? separate(sized)
      : layout === 'focus'
        ? layOutFocus(sized)
        : fitColumns(sized, layout === 'grid' ? getGridColumns(sized.length) : layout === 'column' ? 1 : sized.length)
  return new Map(placed.map(({ id, ...box }) => [id, box]))
}

type PlacedBox = Box & { id: string }

/** Adjusts the number of columns until the frames fit the canvas limits. */
function fitColumns(frames: readonly PlacedBox[], preferredColumns: number): PlacedBox[] {
  let columns = Math.max(1, preferredColumns)
  let placed = layOutColumns(frames, columns)
  while (columns > 1 && placed.some(({ x, width }) => x + width > frameLimits.maxCoordinate)) {
    columns = Math.ceil(columns / 2)
    placed = layOutColumns(frames, columns)
  }
  while (columns < frames.length && placed.some(({ y, height }) => y + height > frameLimits.maxCoordinate)) {
    columns *= 2
    placed = layOutColumns(frames, columns)
  }
  return placed
}

function layOutColumns(frames: readonly PlacedBox[], columns: number): PlacedBox[] {
  const widths = new Array<number>(Math.min(columns, frames.length)).fill(0)
  for (const [at, { width }] of frames.entries()) widths[at % columns] = Math.max(widths[at % columns] ?? 0, width)
  const leftPositions: number[] = []
  let left = start
  for (const width of widths) {
    leftPositions.push(left)
    left += width + gap
  }
  let top = start
  const placed: PlacedBox[] = []
  for (let first = 0; first < frames.length; first += columns) {
    const row = frames.slice(first, first + columns)
    placed.push(...row.map((frame, column) => ({ ...frame, x: leftPositions[column] ?? start, y: top })))
    top += Math.max(...row.map(({ height }) => height)) + gap
  }
  return placed
}

/** The first frame, with the others in columns to its right. */
function layOutFocus([first, ...otherFrames]: readonly PlacedBox[]): PlacedBox[] {
  if (!first) return []
  const left = start + first.width + gap
  const arrangedOthers = fitColumns(otherFrames, otherFrames.length > 6 ? 3 : otherFrames.length > 3 ? 2 : 1)
  return [{ ...first, x: start, y: start }, ...arrangedOthers.map((frame) => ({ ...frame, x: frame.x - start + left }))]
}

function separate(frames: readonly PlacedBox[]): PlacedBox[] {
  const placed: PlacedBox[] = []
  for (const frame of [...frames].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const moved = { ...frame, x: snap(frame.x), y: snap(frame.y) }
    for (let under = findOverlap(moved, placed); under; under = findOverlap(moved, placed))
      moved.y = under.y + under.height + gridSpacing
    placed.push(moved)
  }
  return placed
}

function findOverlap(box: Box, otherFrames: readonly PlacedBox[]): PlacedBox | undefined {
  return otherFrames.find(
    (other) =>
      box.x < other.x + other.width &&
      other.x < box.x + box.width &&
      box.y < other.y + other.height &&
      other.y < box.y + box.height,
  )
}
