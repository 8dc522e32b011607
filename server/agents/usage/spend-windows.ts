import { sql } from 'kysely'
import { type Database, requireChanges, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

export interface SpendWindow {
  /** The budget or limit that the spending counts toward, such as `platform` or `agent:<id>`. */
  bucket: string
  start: number
  end: number
}

export function getMonthWindow(bucket: string, now: Date): SpendWindow {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  return { bucket, start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) }
}

export function getDayWindow(bucket: string, now: Date): SpendWindow {
  const start = now.getTime() - (now.getTime() % dayMs)
  return { bucket, start, end: start + dayMs }
}

/** Adds `micros` (millionths of a dollar) to a window within its limit, or fails the batch. */
export function buildWindowReservation(
  db: Database,
  { bucket, start }: SpendWindow,
  micros: number,
  limitMicros: number,
): Write {
  return requireChanges(
    db
      .insertInto('spend_windows')
      .values({ bucket, window_start: start, micros })
      .onConflict((conflict) =>
        conflict
          .columns(['bucket', 'window_start'])
          .doUpdateSet({ micros: sql`spend_windows.micros + excluded.micros` })
          .where(sql<boolean>`spend_windows.micros + excluded.micros <= ${limitMicros}`),
      ),
  )
}

const windowRetentionMs = 62 * dayMs

export async function sweepSpendWindows({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  await db
    .deleteFrom('spend_windows')
    .where('window_start', '<', now().getTime() - windowRetentionMs)
    .execute()
}

export async function fetchSpentMicros(db: Database, windows: readonly SpendWindow[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('spend_windows')
    .select(['bucket', 'window_start', 'micros'])
    .where(
      'bucket',
      'in',
      windows.map(({ bucket }) => bucket),
    )
    .where(
      'window_start',
      'in',
      windows.map(({ start }) => start),
    )
    .execute()
  return new Map(
    windows.flatMap(({ bucket, start }) => {
      const row = rows.find((candidate) => candidate.bucket === bucket && candidate.window_start === start)
      return row ? [[bucket, row.micros]] : []
    }),
  )
}
