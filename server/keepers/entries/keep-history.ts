import type { Entity } from '#contract/keepers/keeper-words.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { type EntryState, type HistoryRow, parsed, storedState, takesTextFromLatest } from './history-states.ts'
import { takesWordsAway } from './takes-words-away.ts'

/** Saves within this time of a stored state add no state of their own. */
const sittingMs = 5 * 60 * 1000

interface StateBefore {
  entity: Entity
  row: { id: string; owner_id: string; rev: number }
  keeperId: string
  ifMatch: number | null
  snapshot(): EntryState | Promise<EntryState>
  after(): EntryState | Promise<EntryState>
  now: number
}

/** Skips the state when a save follows a recent one, knows its base and removes no text. */
export async function keepHistory(services: Services, before: StateBefore): Promise<Write[]> {
  const { db, newId } = services
  const { entity, row, now } = before
  const [state, after, latest] = [await before.snapshot(), await before.after(), await latestOf(services, before)]
  if (before.ifMatch !== null && latest && latest.saved_at > now - sittingMs) {
    if (!takesWordsAway(state, after) && !takesTextFromLatest(entity, latest, state, after)) return []
  }
  return [
    db.insertInto('entry_history').values({
      id: newId(),
      keeper_id: before.keeperId,
      owner_id: row.owner_id,
      entity,
      entity_id: row.id,
      rev: row.rev,
      snapshot: json(await storedState(services, entity, state, after, latest)),
      saved_at: now,
    }),
  ]
}

async function latestOf({ db }: Services, { entity, row }: StateBefore): Promise<HistoryRow | undefined> {
  const latest = await db
    .selectFrom('entry_history')
    .select(['id', 'rev', 'saved_at', 'snapshot'])
    .where('entity', '=', entity)
    .where('entity_id', '=', row.id)
    .orderBy('rev', 'desc')
    .orderBy('saved_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest && parsed(latest)
}
