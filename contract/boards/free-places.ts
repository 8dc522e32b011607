import { frameLimits, gridSpacing } from './boards.ts'

interface Box {
  x: number
  y: number
  width: number
  height: number
}
type Size = Pick<Box, 'width' | 'height'>

const gap = gridSpacing * 2
const leastRow = 1000

/** Grid-aligned positions without overlap, in rows beside or below the taken boxes; `undefined` if there is no space left. */
export function freePlaces(taken: readonly Box[], sizes: readonly Size[]): ({ x: number; y: number } | undefined)[] {
  const around = boxAround(taken)
  const rows = rowsOf(sizes, Math.max(leastRow, around?.width ?? 0))
  const { farthest } = frameLimits
  const start = !around
    ? { x: 0, y: 0 }
    : around.y + around.height + gap + rows.height <= farthest
      ? { x: onGrid(around.x), y: onGrid(around.y + around.height + gap) }
      : around.x + around.width + gap + rows.width <= farthest
        ? { x: onGrid(around.x + around.width + gap), y: onGrid(around.y) }
        : undefined
  return rows.places.map((place) => {
    if (!start) return undefined
    const at = { x: start.x + place.x, y: start.y + place.y }
    return at.x <= farthest && at.y <= farthest ? at : undefined
  })
}

/** Touching edges don't overlap. */
export function overlaps(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

function rowsOf(sizes: readonly Size[], most: number) {
  const places: { x: number; y: number }[] = []
  let [x, y, height, width] = [0, 0, 0, 0]
  for (const size of sizes) {
    if (x > 0 && x + size.width > most) {
      x = 0
      y += onGrid(height + gap)
      height = 0
    }
    places.push({ x, y })
    x += onGrid(size.width + gap)
    width = Math.max(width, x)
    height = Math.max(height, size.height)
  }
  return { places, width, height: y + height }
}

function boxAround(boxes: readonly Box[]): Box | undefined {
  if (boxes.length === 0) return undefined
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

// Rounds up, so a free position stays free.
const onGrid = (value: number) => Math.ceil(value / gridSpacing) * gridSpacing + 0
