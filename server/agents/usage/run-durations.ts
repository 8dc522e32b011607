/** Milliseconds, ascending. */
export type Durations = Int32Array

export function sortDurations(times: string | number[] | null | undefined): Durations {
  const values: number[] = typeof times === 'string' ? JSON.parse(times) : (times ?? [])
  return Int32Array.from(values).sort()
}

/** Nearest-rank percentile over several lists without merging them. `share` from 0 to 1; null without values. */
export function calculatePercentile(lists: readonly Durations[], share: number): number | null {
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  if (count === 0) return null
  const rank = Math.max(1, Math.ceil(count * share))
  let low = Math.min(...lists.map((list) => list[0] ?? Number.POSITIVE_INFINITY))
  let high = Math.max(...lists.map((list) => list.at(-1) ?? Number.NEGATIVE_INFINITY))
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (lists.reduce((sum, list) => sum + countUpTo(list, middle), 0) >= rank) high = middle
    else low = middle + 1
  }
  return low
}

function countUpTo(list: Durations, maxMs: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((list[middle] as number) <= maxMs) low = middle + 1
    else high = middle
  }
  return low
}
