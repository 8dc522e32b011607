interface Extent {
  width: number
  height: number
}

/** Smaller scales are unreadable, so the board scrolls instead. */
const leastToRead = 0.5
const steps = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2]

export function fitScale(whole: Extent, room: Extent): number {
  if (room.width <= 0 || room.height <= 0) return 1
  return Math.max(leastToRead, Math.min(1, room.width / whole.width, room.height / whole.height))
}

/** The next larger (1) or smaller (−1) step; `scale` can be between steps. */
export function nextScale(scale: number, by: 1 | -1): number {
  const near = 0.001
  if (by === 1) return steps.find((step) => step > scale + near) ?? (steps.at(-1) as number)
  return steps.findLast((step) => step < scale - near) ?? (steps[0] as number)
}
