import { frameLimits, gridSpacing } from './boards.ts'

interface FrameBounds {
  x: number
  y: number
  width: number
  height: number
}
type FrameSize = Pick<FrameBounds, 'width' | 'height'>

const gap = gridSpacing * 2
const minRowWidth = 1000

/** Grid-aligned positions without overlap, in rows below the occupied bounds, or to their right if there is no space below; `undefined` if there is no space left. */
export function findFreePositions(
  occupied: readonly FrameBounds[],
  sizes: readonly FrameSize[],
): ({ x: number; y: number } | undefined)[] {
  const bounds = getBoundingBox(occupied)
  const rows = layOutRows(sizes, Math.max(minRowWidth, bounds?.width ?? 0))
  const start = findStart(bounds, rows)
  const { maxCoordinate } = frameLimits
  return rows.positions.map((position) => {
    if (!start) return undefined
    const point = { x: start.x + position.x, y: start.y + position.y }
    return point.x <= maxCoordinate && point.y <= maxCoordinate ? point : undefined
  })
}

function findStart(bounds: FrameBounds | undefined, rows: FrameSize): { x: number; y: number } | undefined {
  if (!bounds) return { x: 0, y: 0 }
  const below = bounds.y + bounds.height + gap
  if (below + rows.height <= frameLimits.maxCoordinate) return { x: snapToGrid(bounds.x), y: snapToGrid(below) }
  const right = bounds.x + bounds.width + gap
  if (right + rows.width <= frameLimits.maxCoordinate) return { x: snapToGrid(right), y: snapToGrid(bounds.y) }
  return undefined
}

/** Touching edges don't overlap. */
export function overlaps(a: FrameBounds, b: FrameBounds): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

function layOutRows(sizes: readonly FrameSize[], maxWidth: number) {
  const positions: { x: number; y: number }[] = []
  let [x, y, height, width] = [0, 0, 0, 0]
  for (const size of sizes) {
    if (x > 0 && x + size.width > maxWidth) {
      x = 0
      y += snapToGrid(height + gap)
      height = 0
    }
    positions.push({ x, y })
    x += snapToGrid(size.width + gap)
    width = Math.max(width, x)
    height = Math.max(height, size.height)
  }
  return { positions, width, height: y + height }
}

export function getBoundingBox(boxes: readonly FrameBounds[]): FrameBounds | undefined {
  if (boxes.length === 0) return undefined
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

// Rounds up, so a free position stays free. `+ 0` turns -0 into 0.
const snapToGrid = (value: number) => Math.ceil(value / gridSpacing) * gridSpacing + 0
