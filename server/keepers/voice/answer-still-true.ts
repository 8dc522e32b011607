import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { VoiceEntry, voice } from '#contract/keepers/voice.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { toVoiceEntry } from './voice-view.ts'

type StillTrueAnswer = z.output<typeof voice.stillTrue.body & {}>

/** Appends a dated answer. Keeps the revision, so that a concurrent edit stays valid. */
export async function answerStillTrue(
  services: Services,
  person: Person,
  id: string,
  { answer, note }: StillTrueAnswer,
): Promise<VoiceEntry> {
  const { owner_id, keeper_id } = await requireEntryFor(services, person, 'voice', id)
  const datedAnswer = { id: services.newId(), answer, note: note || null, at: services.now().toISOString() }
  const { db } = services
  // Appended in SQL, so that concurrent answers are all kept.
  const appendedAnswers =
    db.engine === 'sqlite'
      ? sql<never>`json_insert(still_true, '$[#]', json(${json(datedAnswer)}))`
      : sql<never>`still_true || ${json([datedAnswer])}::jsonb`
  const update = db.updateTable('voice_entries').set({ still_true: appendedAnswers }).where('id', '=', id)
  const isNew = sql<boolean>`cast(still_true as text) not like ${`%${datedAnswer.id}%`}`
  await update.where('owner_id', '=', person.id).where('deleted_at', 'is', null).where(isNew).execute()
  publishKeeperChanged(services, owner_id, keeper_id, 'voice')
  return toVoiceEntry(await requireEntryFor(services, person, 'voice', id))
}
