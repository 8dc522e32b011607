import { trashRetentionMs } from '#contract/keepers/entries.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import type { MediaRow } from './media-view.ts'

type Keeper = Pick<KeeperRow, 'id' | 'owner_id'>

/** Kinds of entries that have files. */
export const mediaEntities = ['moment', 'voice', 'source'] as const

export interface MediaEntry {
  entity: (typeof mediaEntities)[number]
  id: string
}

const createUnavailableProblem = (field: string) =>
  badField(field, 'One of these files was deleted or is used elsewhere. Add it again.')

export const hasMedia = (entity: string): entity is MediaEntry['entity'] =>
  (mediaEntities as readonly string[]).includes(entity)

/**
 * Returns the files in the order of `ids`. Each is unattached, or attached to `entry`.
 * @throws Problem 400 at `field`
 */
export async function requireAttachableMedia(
  { db }: Services,
  keeper: Keeper,
  ids: string[],
  entry: MediaEntry | undefined,
  field = 'mediaIds',
): Promise<MediaRow[]> {
  const requestedIds = [...new Set(ids)]
  if (requestedIds.length === 0) return []
  const rows = await db
    .selectFrom('media')
    .selectAll()
    .where('id', 'in', requestedIds)
    .where('keeper_id', '=', keeper.id)
    .where('person_id', '=', keeper.owner_id)
    .execute()
  const rowById = new Map(rows.map((row) => [row.id, row]))
  return requestedIds.map((id) => {
    const row = rowById.get(id)
    const isAvailable = row && (row.entity === null || (row.entity === entry?.entity && row.entity_id === entry.id))
    if (!isAvailable) throw createUnavailableProblem(field)
    return row
  })
}

/** Removed files stay usable for 30 days. Fails with `UnexpectedChanges` in a race, see `toMediaProblem`. */
export function createMediaWrites(
  { db, now }: Services,
  keeper: Keeper,
  entry: MediaEntry,
  files: MediaRow[],
): Write[] {
  const entryMediaUpdate = db.updateTable('media').where('entity', '=', entry.entity).where('entity_id', '=', entry.id)
  const ids = files.map(({ id }) => id)
  const releaseWrite = (ids.length > 0 ? entryMediaUpdate.where('id', 'not in', ids) : entryMediaUpdate).set({
    entity: null,
    entity_id: null,
    position: null,
    gone_at: now().getTime() + trashRetentionMs,
  })
  const attachWrites = ids.map((id, position) =>
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
  return [releaseWrite, ...attachWrites]
}

export function toMediaProblem(error: unknown, field = 'mediaIds'): unknown {
  return error instanceof UnexpectedChanges ? createUnavailableProblem(field) : error
}
