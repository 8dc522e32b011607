import type { Selectable } from 'kysely'
import { mediaTypes } from '#contract/keepers/media.ts'
import { requireChanges, type Write } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { VoiceRow } from './voice-view.ts'

export type Recording = Selectable<Schema['media']>

/**
 * A recording this person uploaded to this keeper, which belongs to nothing else.
 * @throws Problem 400
 */
export async function requireRecording(
  { db }: Services,
  keeper: { id: string; owner_id: string },
  audioId: string,
  entryId: string | undefined,
): Promise<Recording> {
  const found = await db
    .selectFrom('media')
    .selectAll()
    .where('id', '=', audioId)
    .where('person_id', '=', keeper.owner_id)
    .where('keeper_id', '=', keeper.id)
    .where('mime', 'in', [...mediaTypes.audio])
    .executeTakeFirst()
  if (!found) throw badField('audioId', 'Upload the recording to this keeper first, and name it by its id.')
  const isFree = found.entity_id === null || (found.entity === 'voice' && found.entity_id === entryId)
  if (!isFree) throw recordingTaken()
  return found
}

export const recordingTaken = () => badField('audioId', 'This recording belongs to something else. Upload it again.')

/** The writes by which an entry gets a recording, another one, or none. */
export function recordingWrites(
  { db }: Services,
  entry: { id: string; audio_id: VoiceRow['audio_id'] },
  audioId: string | null,
): Write[] {
  if (audioId === entry.audio_id) return []
  const loosen = db
    .updateTable('media')
    .set({ entity: null, entity_id: null, position: null })
    .where('entity', '=', 'voice')
    .where('entity_id', '=', entry.id)
  if (audioId === null) return [loosen]
  const fasten = db
    .updateTable('media')
    .set({ entity: 'voice', entity_id: entry.id, position: 0 })
    .where('id', '=', audioId)
    .where((where) => where.or([where('entity_id', 'is', null), where('entity_id', '=', entry.id)]))
  return [loosen, requireChanges(fasten)]
}
