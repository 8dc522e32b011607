/** In px. */
export interface RiverPoint {
  x: number
  y: number
}

export const riverHeight = 112
const pointSpacing = 64
const riverMargin = 28

const roundToTenth = (value: number) => Math.round(value * 10) / 10

/** Spaces points evenly along a gentle wave; deterministic for a given count. */
export function getRiverPoints(count: number): RiverPoint[] {
  return Array.from({ length: count }, (_, index) => ({
    x: riverMargin + index * pointSpacing,
    y: roundToTenth(riverHeight / 2 + Math.sin(index * 0.9) * 18),
  }))
}

export const getRiverWidth = (count: number) => riverMargin * 2 + Math.max(count - 1, 0) * pointSpacing

/** A smooth line through the points, as the `d` of a path. */
export function toRiverPath(points: readonly RiverPoint[]): string {
  return points.reduce((path, point, index) => {
    const previous = points[index - 1]
    if (!previous) return `M${point.x} ${point.y}`
    const middleX = roundToTenth((previous.x + point.x) / 2)
    return `${path}C${middleX} ${previous.y} ${middleX} ${point.y} ${point.x} ${point.y}`
  }, '')
}

/** The `d` of a branch that leaves the river downwards; later branches reach further. */
export function toBranchPath({ x, y }: RiverPoint, index: number): string {
  const branchLength = 20 + index * 12
  return `M${x} ${y}C${x + 10} ${y} ${x + 10} ${riverHeight - 8} ${roundToTenth(x + branchLength)} ${riverHeight - 4}`
}
