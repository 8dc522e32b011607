import { sql } from 'kysely'
import { type Database, requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import type { SpendWindow } from './spend-windows.ts'

/** Age at which a reservation without a running run counts as abandoned; longer than any such call can take (6 minutes). */
export const abandonedAfterMs = 7 * 60 * 1000

/** Increases a reservation in each window. Fails the batch if the reservation was released. */
export function buildReservationIncrease(
  db: Database,
  { id, micros, windowCount }: { id: string; micros: number; windowCount: number },
): Write {
  return requireChanges(
    db
      .updateTable('budget_holds')
      .set({ micros: sql`micros + ${micros}` })
      .where('id', '=', id),
    windowCount,
  )
}

/** Writes nothing if the ledger already has the call; if the reservation was released, only adds the cost. */
export function buildSettlementWrites(
  db: Database,
  {
    reservationId,
    callId,
    windows,
    spentMicros,
  }: { reservationId: string; callId: string; windows: SpendWindow[]; spentMicros: number },
): Write[] {
  if (windows.length === 0) return []
  return [
    // Locks the row first, so that a concurrent release finishes before the read below.
    db.updateTable('budget_holds').set({ micros: sql`micros` }).where('id', '=', reservationId),
    ...windows.map(
      ({ bucket, start }) => sql`
        insert into spend_windows (bucket, window_start, micros)
        select * from (select ${bucket} as bucket, cast(${start} as bigint) as window_start, cast(${spentMicros} as bigint) as micros) as spending
        where not exists (select 1 from model_calls where id = ${callId})
        on conflict (bucket, window_start) do update set micros = spend_windows.micros + excluded.micros - coalesce(
          (select reservation.micros from budget_holds as reservation where reservation.id = ${reservationId} and reservation.bucket = ${bucket}), 0)`,
    ),
    db.deleteFrom('budget_holds').where('id', '=', reservationId),
  ]
}

/** A call that ends later still counts. A process that is alone with its database passes `Infinity`. */
export async function releaseReservations(
  { db, now }: Pick<Services, 'db' | 'now'>,
  selector: { runId: string } | { reservedBefore: number } = { reservedBefore: now().getTime() - abandonedAfterMs },
): Promise<void> {
  const rows = await db
    .selectFrom('budget_holds')
    .selectAll()
    .where((where) => {
      if ('runId' in selector) return where('run_id', '=', selector.runId)
      const runningRun = where
        .selectFrom('runs')
        .select('id')
        .whereRef('runs.id', '=', 'budget_holds.run_id')
        .where('status', '=', 'running')
      return where.and([
        where('created_at', '<', Math.min(selector.reservedBefore, Number.MAX_SAFE_INTEGER)),
        where.not(where.exists(runningRun)),
      ])
    })
    .orderBy('id')
    .orderBy('bucket')
    .execute()
  for (const [id, entries] of Map.groupBy(rows, (row) => row.id))
    try {
      await db.batch([
        requireChanges(db.deleteFrom('budget_holds').where('id', '=', id), entries.length),
        ...entries.map(({ bucket, window_start, micros }) =>
          db
            .updateTable('spend_windows')
            .set({ micros: sql`micros - ${micros}` })
            .where('bucket', '=', bucket)
            .where('window_start', '=', window_start),
        ),
      ])
    } catch (error) {
      if (!(error instanceof UnexpectedChanges)) throw error
    }
}
