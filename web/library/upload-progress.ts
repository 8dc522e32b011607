export const tickMs = 200
export const leastMs = 2000
export const messageMs = 3000
const step = 10
const heldAt = 90

/** Percent after `ticks`; the last 10 % are for the write itself. */
export function progressAfter(ticks: number): number {
  return Math.min(ticks * step, heldAt)
}
