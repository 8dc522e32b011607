interface Extent {
  width: number
  height: number
}

/** Smaller scales are unreadable, so the board scrolls instead. */
const minReadableScale = 0.5
const scaleSteps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2]

export function getFitScale(fullSize: Extent, viewport: Extent): number {
  if (viewport.width <= 0 || viewport.height <= 0) return 1
  return Math.max(minReadableScale, Math.min(1, viewport.width / fullSize.width, viewport.height / fullSize.height))
}

/** The next larger (1) or smaller (−1) step; `scale` can be between steps. */
export function getNextScale(scale: number, direction: 1 | -1): number {
  const tolerance = 0.001
  if (direction === 1) return scaleSteps.find((step) => step > scale + tolerance) ?? (scaleSteps.at(-1) as number)
  return scaleSteps.findLast((step) => step < scale - tolerance) ?? (scaleSteps[0] as number)
}
