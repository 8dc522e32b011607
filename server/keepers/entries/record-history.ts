import type { Entity } from '#contract/keepers/keeper-fields.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { type EntryState, type HistoryRow, parseSnapshot, replacesLatestText, toStoredState } from './history-states.ts'

/** Removing up to this many characters is a correction, unless they are more than half of the text. */
const maxCorrectionLength = 20
/** Removing up to this many characters is always a correction, even in a text of one word. */
const maxTypoLength = 3

type EntryFields = Record<string, unknown>

export function removesText(previous: EntryFields, updated: EntryFields): boolean {
  return Object.keys(previous).some((field) => {
    const text = toText(previous[field])
    const removedLength = countRemoved(text, toText(updated[field]))
    return removedLength > maxCorrectionLength || (removedLength > maxTypoLength && removedLength * 2 > text.length)
  })
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}

function countRemoved(text: string, updatedText: string): number {
  const commonLength = Math.min(text.length, updatedText.length)
  let start = 0
  while (start < commonLength && text[start] === updatedText[start]) start++
  let end = 0
  while (end < commonLength - start && text[text.length - 1 - end] === updatedText[updatedText.length - 1 - end]) end++
  return text.length - start - end
}

/** Saves within this time after a stored state belong to one editing session. */
const sessionGapMs = 5 * 60 * 1000

interface HistorySave {
  entity: Entity
  row: { id: string; owner_id: string; rev: number }
  keeperId: string
  ifMatch: number | null
  getState(): EntryState | Promise<EntryState>
  getNextState(): EntryState | Promise<EntryState>
  now: number
}

/** Stores the state that the save replaces, unless the save continues an editing session and removes no text. */
export async function createHistoryWrites(services: Services, save: HistorySave): Promise<Write[]> {
  const { db, newId } = services
  const { entity, row, now } = save
  const state = await save.getState()
  const nextState = await save.getNextState()
  const latest = await findLatestState(services, save)
  const isSameSession = save.ifMatch !== null && latest !== undefined && latest.saved_at > now - sessionGapMs
  if (isSameSession && !removesText(state, nextState) && !replacesLatestText(entity, latest, state, nextState))
    return []
  return [
    db.insertInto('entry_history').values({
      id: newId(),
      keeper_id: save.keeperId,
      owner_id: row.owner_id,
      entity,
      entity_id: row.id,
      rev: row.rev,
      snapshot: json(await toStoredState(services, entity, state, nextState, latest)),
      saved_at: now,
    }),
  ]
}

async function findLatestState({ db }: Services, { entity, row }: HistorySave): Promise<HistoryRow | undefined> {
  const latest = await db
    .selectFrom('entry_history')
    .select(['id', 'rev', 'saved_at', 'snapshot'])
    .where('entity', '=', entity)
    .where('entity_id', '=', row.id)
    .orderBy('rev', 'desc')
    .orderBy('saved_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return latest && parseSnapshot(latest)
}
