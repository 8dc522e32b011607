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

const gone = (field: string) =>
  badField(field, 'One of these files is not there any more, or something else shows it. Add it again.')

/**
 * The files an entry is to show, in their order. `entry` is the one that may show them already.
 * @throws Problem 400 naming `field` for one that is not of this keeper, or shown elsewhere
 */
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

/**
 * The writes that make an entry show exactly these files; what it showed before can be shown again for 30 days. They
 * undo their whole batch (`UnexpectedChanges`) when another entry was faster: see `tellMediaGone`.
 */
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

/** What a batch with `showMedia` failed with, as the person is to read it. */
export function tellMediaGone(error: unknown, field = 'mediaIds'): unknown {
  return error instanceof UnexpectedChanges ? gone(field) : error
}
