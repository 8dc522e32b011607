import type { Moment } from '#contract/keepers/moments.ts'

/** Moments per local day. The last day is left out while further pages may contain more of it. */
export function countByDay(items: readonly Pick<Moment, 'localDate'>[], hasMore: boolean): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { localDate } of items) counts.set(localDate, (counts.get(localDate) ?? 0) + 1)
  const last = items.at(-1)
  if (hasMore && last) counts.delete(last.localDate)
  return counts
}
