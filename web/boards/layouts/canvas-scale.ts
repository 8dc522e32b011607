interface Extent {
  width: number
  height: number
}

/** Smaller scales are unreadable, so the board scrolls instead. */
const minReadableScale = 0.5
const steps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2]

export function getFitScale(whole: Extent, viewport: Extent): number {
  if (viewport.width <= 0 || viewport.height <= 0) return 1
  return Math.max(minReadableScale, Math.min(1, viewport.width / whole.width, viewport.height / whole.height))
}

/** The next larger (1) or smaller (−1) step; `scale` can be between steps. */
export function getNextScale(scale: number, by: 1 | -1): number {
  const near = 0.001
  if (by === 1) return steps.find((step) => step > scale + near) ?? (steps.at(-1) as number)
  return steps.findLast((step) => step < scale - near) ?? (steps[0] as number)
}
