export const tickMs = 200
export const minUploadMs = 2000
export const successMessageMs = 3000
const step = 10
const maxProgress = 90

/** Percent after `ticks`; the last 10 % are for the write itself. */
export function getProgress(ticks: number): number {
  return Math.min(ticks * step, maxProgress)
}
