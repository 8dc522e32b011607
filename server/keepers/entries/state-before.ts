import type { Entity } from '#contract/keepers/keeper-fields.ts'
import type { Services } from '#server/services.ts'
import { type EntryState, type HistoryRow, parseSnapshot, resolveStates } from './history-states.ts'

interface DatedRow {
  id: string
  created_at: number
  updated_at: number
}

/**
 * The stored state that an entry had just before `instant`: `current` if it has not changed since, null if it didn't exist.
 * Saves in quick succession share a state; then it is the one before them.
 */
export async function findStateBefore(
  services: Pick<Services, 'db'>,
  entity: Entity,
  row: DatedRow,
  instant: number,
): Promise<EntryState | 'current' | null> {
  if (row.created_at >= instant) return null
  if (row.updated_at < instant) return 'current'
  const states = services.db
    .selectFrom('entry_history')
    .select(['id', 'rev', 'saved_at', 'snapshot'])
    .where('entity', '=', entity)
    .where('entity_id', '=', row.id)
    .limit(1)
  // Each row holds the state that its save replaced.
  const replaced =
    (await states.where('saved_at', '>=', instant).orderBy('rev').orderBy('saved_at').executeTakeFirst()) ??
    (await states.orderBy('rev', 'desc').orderBy('saved_at', 'desc').executeTakeFirst())
  if (!replaced) return null
  const historyRow = parseSnapshot(replaced) as HistoryRow
  const [state] = await resolveStates(services, { entity, id: row.id, row }, [historyRow])
  return state ?? null
}
