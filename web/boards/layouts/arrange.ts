import { type BoardLayout, type Frame, frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { type Box, getFrameBox, snapSize, snapToGrid } from '../document/board-document.ts'
import { getGridColumns } from './presentation.ts'

const frameGap = 2 * gridSpacing
const originOffset = 3 * gridSpacing

/** Positions of frames in a layout: on the grid, in reading order, without overlap. */
export function arrangeFrames(frames: readonly Frame[], layout: BoardLayout): Map<string, Box> {
  const snappedFrames = frames.map((frame) => ({
    id: frame.id,
    ...getFrameBox(frame),
    ...snapSize(getFrameBox(frame)),
  }))
  return new Map(placeFrames(snappedFrames, layout).map(({ id, ...box }) => [id, box]))
}

type PlacedBox = Box & { id: string }

function placeFrames(frames: readonly PlacedBox[], layout: BoardLayout): PlacedBox[] {
  if (layout === 'canvas') return separateOverlaps(frames)
  if (layout === 'focus') return layOutFocus(frames)
  if (layout === 'grid') return fitColumns(frames, getGridColumns(frames.length))
  return fitColumns(frames, layout === 'column' ? 1 : frames.length)
}

/** Adjusts the number of columns until the frames fit the canvas limits. */
function fitColumns(frames: readonly PlacedBox[], preferredColumns: number): PlacedBox[] {
  let columns = Math.max(1, preferredColumns)
  let placedFrames = layOutColumns(frames, columns)
  while (columns > 1 && placedFrames.some(({ x, width }) => x + width > frameLimits.maxCoordinate)) {
    columns = Math.ceil(columns / 2)
    placedFrames = layOutColumns(frames, columns)
  }
  while (columns < frames.length && placedFrames.some(({ y, height }) => y + height > frameLimits.maxCoordinate)) {
    columns *= 2
    placedFrames = layOutColumns(frames, columns)
  }
  return placedFrames
}

function layOutColumns(frames: readonly PlacedBox[], columns: number): PlacedBox[] {
  const widths = new Array<number>(Math.min(columns, frames.length)).fill(0)
  for (const [index, { width }] of frames.entries())
    widths[index % columns] = Math.max(widths[index % columns] ?? 0, width)
  const leftPositions: number[] = []
  let left = originOffset
  for (const width of widths) {
    leftPositions.push(left)
    left += width + frameGap
  }
  let top = originOffset
  const placedFrames: PlacedBox[] = []
  for (let rowStart = 0; rowStart < frames.length; rowStart += columns) {
    const row = frames.slice(rowStart, rowStart + columns)
    placedFrames.push(...row.map((frame, column) => ({ ...frame, x: leftPositions[column] ?? originOffset, y: top })))
    top += Math.max(...row.map(({ height }) => height)) + frameGap
  }
  return placedFrames
}

/** The first frame, with the others in columns to its right. */
function layOutFocus([first, ...otherFrames]: readonly PlacedBox[]): PlacedBox[] {
  if (!first) return []
  const left = originOffset + first.width + frameGap
  const arrangedOthers = fitColumns(otherFrames, Math.max(1, Math.min(3, Math.ceil(otherFrames.length / 3))))
  return [
    { ...first, x: originOffset, y: originOffset },
    ...arrangedOthers.map((frame) => ({ ...frame, x: frame.x - originOffset + left })),
  ]
}

function separateOverlaps(frames: readonly PlacedBox[]): PlacedBox[] {
  const placedFrames: PlacedBox[] = []
  for (const frame of [...frames].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const movedFrame = { ...frame, x: snapToGrid(frame.x), y: snapToGrid(frame.y) }
    for (
      let overlapping = findOverlap(movedFrame, placedFrames);
      overlapping;
      overlapping = findOverlap(movedFrame, placedFrames)
    )
      movedFrame.y = overlapping.y + overlapping.height + gridSpacing
    placedFrames.push(movedFrame)
  }
  return placedFrames
}

const findOverlap = (box: Box, otherFrames: readonly PlacedBox[]) => otherFrames.find((other) => overlaps(box, other))
