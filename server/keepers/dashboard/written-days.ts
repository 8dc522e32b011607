import { createAscendingDayLookup } from '#contract/keepers/local-time.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import type { WrittenDay } from './streak.ts'

interface MomentDay {
  date: string
  count: number
  kept: number
  mood: number | null
}

/** Days with entries, earliest first: moments by local date, reflections by their date in `timezone`. */
export async function loadWrittenDays(services: Services, keeper: KeeperRow, timezone: string): Promise<WrittenDay[]> {
  const { db } = services
  const [moments, reflections] = await Promise.all([
    db.longRead<MomentDay>(
      db
        .selectFrom('moments')
        .select(({ fn, eb }) => [
          'local_date as date',
          fn.countAll<number>().as('count'),
          fn.avg<number | null>('mood_score').as('mood'),
          fn.sum<number>(eb.case().when('pinned', '=', true).then(1).else(0).end()).as('kept'),
        ])
        .where('keeper_id', '=', keeper.id)
        .where('deleted_at', 'is', null)
        .groupBy('local_date'),
    ),
    db.longRead<{ created_at: number; promoted_at: number | null }>(
      db
        .selectFrom('reflections')
        .select(['created_at', 'promoted_at'])
        .where('keeper_id', '=', keeper.id)
        .where('deleted_at', 'is', null)
        .orderBy('created_at'),
    ),
  ])
  const days = new Map<string, WrittenDay>(
    moments.map(({ date, count, mood, kept: pinnedCount }) => [
      date,
      { date, count: Number(count), mood: mood === null ? null : Number(mood), kept: Number(pinnedCount) > 0 },
    ]),
  )
  const toDate = createAscendingDayLookup(timezone)
  for (const { created_at, promoted_at } of reflections) {
    const date = toDate(created_at)
    const day = days.get(date) ?? { date, count: 0, kept: false, mood: null }
    day.count += 1
    day.kept ||= promoted_at !== null
    days.set(date, day)
  }
  return [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1))
}
