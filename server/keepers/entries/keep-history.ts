import type { Entity } from '#contract/keepers/keeper-words.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { takesWordsAway } from './takes-words-away.ts'

type State = Record<string, unknown>

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
  snapshot(): State | Promise<State>
  /** The same as it will be. */
  after(): State | Promise<State>
  now: number
}

/**
 * A save that knew what it replaced, in the sitting of the one before, leaves no state of its own; unless it takes words
 * away, as one that brings an earlier state back.
 */
export async function keepHistory({ db, newId }: Services, before: StateBefore): Promise<Write[]> {
  const { entity, row, now } = before
  const state = await before.snapshot()
  if (before.ifMatch !== null) {
    const recent = await db
      .selectFrom('entry_history')
      .select('id')
      .where('entity', '=', entity)
      .where('entity_id', '=', row.id)
      .where('saved_at', '>', now - sittingMs)
      .limit(1)
      .executeTakeFirst()
    if (recent && !takesWordsAway(state, await before.after())) return []
  }
  return [
    db.insertInto('entry_history').values({
      id: newId(),
      keeper_id: before.keeperId,
      owner_id: row.owner_id,
      entity,
      entity_id: row.id,
      rev: row.rev,
      snapshot: json(state),
      saved_at: now,
    }),
  ]
}
