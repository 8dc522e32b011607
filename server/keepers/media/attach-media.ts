import { keptInBinMs } from '#contract/keepers/entries.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import type { MediaRow } from './media-view.ts'

type Keeper = Pick<KeeperRow, 'id' | 'owner_id'>

export interface Showing {
  entity: 'moment' | 'voice'
  id: string
}

const gone = (field: string) => badField(field, 'One of these files was deleted or is used elsewhere. Add it again.')

/** Files in the given order. `entry` may already show them. @throws Problem 400 for `field` when a file is
 * unavailable */
export async function requireMediaToShow(
  { db }: Services,
  keeper: Keeper,
  ids: string[],
  entry: Showing | undefined,
  field = 'mediaIds',
): Promise<MediaRow[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return []
  const rows = await db
    .selectFrom('media')
    .selectAll()
    .where('id', 'in', wanted)
    .where('keeper_id', '=', keeper.id)
    .where('person_id', '=', keeper.owner_id)
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  return wanted.map((id) => {
    const row = found.get(id)
    const free = row && (row.entity === null || (row.entity === entry?.entity && row.entity_id === entry.id))
    if (!free) throw gone(field)
    return row
  })
}

/** Replaces the files of an entry; removed files stay usable for 30 days. Fails with `UnexpectedChanges` when another
 * entry was faster, see `toMediaProblem`. */
export function showMedia({ db, now }: Services, keeper: Keeper, entry: Showing, files: MediaRow[]): Write[] {
  const ofEntry = db.updateTable('media').where('entity', '=', entry.entity).where('entity_id', '=', entry.id)
  const ids = files.map(({ id }) => id)
  const letGo = (ids.length > 0 ? ofEntry.where('id', 'not in', ids) : ofEntry).set({
    entity: null,
    entity_id: null,
    position: null,
    gone_at: now().getTime() + keptInBinMs,
  })
  const shown = ids.map((id, position) =>
    requireChanges(
      db
        .updateTable('media')
        .set({ entity: entry.entity, entity_id: entry.id, position, gone_at: null })
        .where('id', '=', id)
        .where('keeper_id', '=', keeper.id)
        .where((where) =>
          where.or([
            where('entity', 'is', null),
            where.and([where('entity', '=', entry.entity), where('entity_id', '=', entry.id)]),
          ]),
        ),
    ),
  )
  return [letGo, ...shown]
}

/** Translates the failure of a batch with `createMediaWrites`. */
export function tellMediaGone(error: unknown, field = 'mediaIds'): unknown {
  return error instanceof UnexpectedChanges ? gone(field) : error
}
