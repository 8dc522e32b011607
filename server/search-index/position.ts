import { hashText } from './grams.ts'

const secondMs = 1000
/** Years supported by both JavaScript dates and 53-bit positions. */
const maxSeconds = 2 ** 38

/**
 * A unique number in the order of time, to list matches newest first without sorting: the second, since an index stores
 * the difference between neighbors. Each further attempt spreads over twice the time.
 */
export function toPosition(at: number, id: string, attempt: number): number {
  return toFirstPosition(at) + ((hashText(`${attempt} ${id}`) >>> 0) % 2 ** attempt)
}

export function toFirstPosition(at: number): number {
  return Math.min(maxSeconds, Math.max(-maxSeconds, Math.floor(at / secondMs)))
}
