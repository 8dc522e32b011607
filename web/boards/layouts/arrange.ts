import { type BoardLayout, type Frame, frameLimits, gridSpacing } from '#contract/boards/boards.ts'
import { overlaps } from '#contract/boards/free-positions.ts'
import { type Box, getFrameBox, snapSize, snapToGrid } from '../document/board-document.ts'
import { getGridColumnCount } from './presentation.ts'

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
  if (layout === 'grid') return fitColumns(frames, getGridColumnCount(frames.length))
  return fitColumns(frames, layout === 'column' ? 1 : frames.length)
}

/** Adjusts the number of columns until the frames fit the canvas limits. */
function fitColumns(frames: readonly PlacedBox[], preferredCount: number): PlacedBox[] {
  let columnCount = Math.max(1, preferredCount)
  let placedFrames = layOutColumns(frames, columnCount)
  while (columnCount > 1 && placedFrames.some(({ x, width }) => x + width > frameLimits.maxCoordinate)) {
    columnCount = Math.ceil(columnCount / 2)
    placedFrames = layOutColumns(frames, columnCount)
  }
  while (columnCount < frames.length && placedFrames.some(({ y, height }) => y + height > frameLimits.maxCoordinate)) {
    columnCount *= 2
    placedFrames = layOutColumns(frames, columnCount)
  }
  return placedFrames
}

function layOutColumns(frames: readonly PlacedBox[], columnCount: number): PlacedBox[] {
  const widths = new Array<number>(Math.min(columnCount, frames.length)).fill(0)
  for (const [index, { width }] of frames.entries())
    widths[index % columnCount] = Math.max(widths[index % columnCount] ?? 0, width)
  const leftPositions: number[] = []
  let left = originOffset
  for (const width of widths) {
    leftPositions.push(left)
    left += width + frameGap
  }
  let top = originOffset
  const placedFrames: PlacedBox[] = []
  for (let rowStart = 0; rowStart < frames.length; rowStart += columnCount) {
    const row = frames.slice(rowStart, rowStart + columnCount)
    placedFrames.push(...row.map((frame, column) => ({ ...frame, x: leftPositions[column] ?? originOffset, y: top })))
    top += Math.max(...row.map(({ height }) => height)) + frameGap
  }
  return placedFrames
}

const maxFocusColumns = 3
const minFocusRows = 3

/** The first frame, with the others in columns to its right. */
function layOutFocus([first, ...otherFrames]: readonly PlacedBox[]): PlacedBox[] {
  if (!first) return []
  const left = originOffset + first.width + frameGap
  const columnCount = Math.max(1, Math.min(maxFocusColumns, Math.ceil(otherFrames.length / minFocusRows)))
  const arrangedOthers = fitColumns(otherFrames, columnCount)
  return [
    { ...first, x: originOffset, y: originOffset },
    ...arrangedOthers.map((frame) => ({ ...frame, x: frame.x - originOffset + left })),
  ]
}

function separateOverlaps(frames: readonly PlacedBox[]): PlacedBox[] {
  const placedFrames: PlacedBox[] = []
  for (const frame of [...frames].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const movedFrame = { ...frame, x: snapToGrid(frame.x), y: snapToGrid(frame.y) }
    let overlapping = findOverlap(movedFrame, placedFrames)
    while (overlapping) {
      movedFrame.y = overlapping.y + overlapping.height + gridSpacing
      overlapping = findOverlap(movedFrame, placedFrames)
    }
    placedFrames.push(movedFrame)
  }
  return placedFrames
}

const findOverlap = (box: Box, otherFrames: readonly PlacedBox[]) => otherFrames.find((other) => overlaps(box, other))
