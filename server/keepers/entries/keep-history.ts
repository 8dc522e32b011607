import type { Entity } from '#contract/keepers/keeper-words.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { type EntryState, type HistoryRow, parsed, storedState, takesTextFromLatest } from './history-states.ts'
import { takesWordsAway } from './takes-words-away.ts'

/** Saves of one sitting follow each other; of those, history keeps one state in so many milliseconds. */
const sittingMs = 5 * 60 * 1000

interface StateBefore {
  entity: Entity
  /** The row as it was before the save. */
  row: { id: string; owner_id: string; rev: number }
  keeperId: string
  /** The revision the save said it replaces. */
  ifMatch: number | null
  /** That row as history shows it. */
  snapshot(): EntryState | Promise<EntryState>
  /** The same as it will be. */
  after(): EntryState | Promise<EntryState>
  now: number
}

/**
 * A save that knew what it replaced, in the sitting of the one before, leaves no state of its own; unless it takes words
 * away, as one that brings an earlier state back.
 */
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
