import { sql } from 'kysely'
import { type Database, requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import type { SpendWindow } from './spend-windows.ts'

interface Hold {
  id: string
  runId: string
  window: SpendWindow
  /** Millionths of a dollar. */
  micros: number
  createdAt: number
}

/**
 * What is held so long for something that is no running run was left behind by a process that is gone. Longer than any
 * such call may take: a recording is written down for up to six minutes.
 */
export const abandonedAfterMs = 7 * 60 * 1000

/** Notes beside the windows what a call holds of them, in the batch that reserves it. */
export function holdIn(db: Database, holds: readonly Hold[]): Write {
  return db.insertInto('budget_holds').values(
    holds.map(({ id, runId, window, micros, createdAt }) => ({
      id,
      run_id: runId,
      bucket: window.bucket,
      window_start: window.start,
      micros,
      created_at: createdAt,
    })),
  )
}

/** Notes that a call holds more, of each of its windows. Undoes the batch it stands in where the hold was given back. */
export function holdMoreIn(
  db: Database,
  { id, micros, windows }: { id: string; micros: number; windows: number },
): Write {
  return requireChanges(
    db
      .updateTable('budget_holds')
      .set({ micros: sql`micros + ${micros}` })
      .where('id', '=', id),
    windows,
  )
}

/**
 * Puts what a call cost in the place of what it still holds. Writes nothing where the ledger has the call already; where
 * the hold was given back meanwhile, only the cost is added.
 */
export function settleIn(
  db: Database,
  { holdId, callId, windows, spent }: { holdId: string; callId: string; windows: SpendWindow[]; spent: number },
): Write[] {
  if (windows.length === 0) return []
  return [
    // Whoever gives it back in another process is waited for, before anybody looks whether it is there.
    db.updateTable('budget_holds').set({ micros: sql`micros` }).where('id', '=', holdId),
    ...windows.map(
      ({ bucket, start }) => sql`
        insert into spend_windows (bucket, window_start, micros)
        select * from (select ${bucket} as bucket, cast(${start} as bigint) as window_start, cast(${spent} as bigint) as micros) as spending
        where not exists (select 1 from model_calls where id = ${callId})
        on conflict (bucket, window_start) do update set micros = spend_windows.micros + excluded.micros - coalesce(
          (select held.micros from budget_holds as held where held.id = ${holdId} and held.bucket = ${bucket}), 0)`,
    ),
    db.deleteFrom('budget_holds').where('id', '=', holdId),
  ]
}

/**
 * Gives back what processes that are gone left held: what was held for this run, or seven minutes ago for none that runs.
 * A call that ends after all is counted then, so that the worst that comes of taking it for gone is a budget that is
 * overdrawn by one call.
 * A process that has the database to itself passes `Infinity` when it starts: whatever is held then is nobody's.
 */
export async function giveBackHolds(
  { db, now }: Pick<Services, 'db' | 'now'>,
  abandoned: { runId: string } | { heldBefore: number } = { heldBefore: now().getTime() - abandonedAfterMs },
): Promise<void> {
  const latest = 'heldBefore' in abandoned ? Math.min(abandoned.heldBefore, Number.MAX_SAFE_INTEGER) : undefined
  const rows = await db
    .selectFrom('budget_holds')
    .selectAll()
    .where((where) =>
      'runId' in abandoned
        ? where('run_id', '=', abandoned.runId)
        : where.and([
            where('created_at', '<', latest ?? 0),
            where.not(
              where.exists(
                where
                  .selectFrom('runs')
                  .select('id')
                  .whereRef('runs.id', '=', 'budget_holds.run_id')
                  .where('status', '=', 'running'),
              ),
            ),
          ]),
    )
    .orderBy('id')
    .orderBy('bucket')
    .execute()
  for (const [id, held] of Map.groupBy(rows, (row) => row.id))
    try {
      await db.batch([
        requireChanges(db.deleteFrom('budget_holds').where('id', '=', id), held.length),
        ...held.map(({ bucket, window_start, micros }) =>
          db
            .updateTable('spend_windows')
            .set({ micros: sql`micros - ${micros}` })
            .where('bucket', '=', bucket)
            .where('window_start', '=', window_start),
        ),
      ])
    } catch (error) {
      // It was settled after all, or another process gave it back.
      if (!(error instanceof UnexpectedChanges)) throw error
    }
}
