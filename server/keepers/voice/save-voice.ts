import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import { mediaTypes } from '#contract/keepers/media.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { VoiceEntry, voice } from '#contract/keepers/voice.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { badField } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { checkTopicTriggers, noTriggerNotices } from '../echoes/check-entry-triggers.ts'
import { createEntry } from '../entries/create-entry.ts'
import type { EntryRow } from '../entries/entry-tables.ts'
import { parseJsonColumn } from '../entries/json-column.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { type EntryChanges, saveEntry } from '../entries/save-entry.ts'
import { requireKeeperFor, requireKeeperToWriteIn } from '../keeper-access.ts'
import { createMediaWrites, requireAttachableMedia, toMediaProblem } from '../media/attach-media.ts'
import type { MediaRow } from '../media/media-view.ts'
import { buildTopicLinkWrites, findTopics, type LinkedTopic } from '../topics/link-topics.ts'

type NewVoice = z.output<typeof voice.create.body & {}>
type ChangedVoice = z.output<typeof voice.update.body & {}>

export async function createVoice(
  services: Services,
  person: Person,
  keeperId: string,
  input: NewVoice,
): Promise<VoiceEntry> {
  const keeper = await requireKeeperToWriteIn(services, person, keeperId, input.keeperId)
  const recording = input.audioId ? await requireRecording(services, keeper, input.audioId, input.id) : null
  const topics = await findLabelTopics(services, keeper.id, input.label)
  const notices = await checkTopicTriggers(services, keeper.id, topics)
  const now = services.now().getTime()
  const createdAt = Math.min(input.createdAt ? Date.parse(input.createdAt) : now, now)
  const row = await mapMediaConflict(() =>
    createEntry(services, keeper, {
      entity: 'voice',
      id: input.id,
      createdAt,
      values: {
        agent_id: input.agentId || defaultAgentId,
        label: input.label,
        belief: input.belief,
        ai_visible: input.aiVisible ?? true,
        audio_id: recording?.id ?? null,
        duration_ms: recording?.duration_ms ?? null,
        transcript: null,
        transcript_error: null,
        transcript_until: null,
        transcript_status: 'none',
        language: null,
        strength: input.strength ?? null,
        still_true: json([]),
        source_kind: null,
        source_id: null,
      },
      extraWrites: (id) => [
        ...(recording ? createMediaWrites(services, keeper, { entity: 'voice', id }, [recording]) : []),
        ...buildTopicLinkWrites(services, keeper, toEntryRef({ id, created_at: createdAt }), topics),
        ...notices.writes,
      ],
    }),
  )
  notices.notify()
  return toVoiceEntry(row)
}

/** A new recording discards the transcript. */
export async function updateVoice(
  services: Services,
  person: Person,
  id: string,
  input: ChangedVoice,
  ifMatch: number | null,
): Promise<VoiceEntry> {
  const existing = await requireEntryFor(services, person, 'voice', id)
  const keeper = { id: existing.keeper_id, owner_id: existing.owner_id }
  const recording = input.audioId ? await requireRecording(services, keeper, input.audioId, id) : null
  const { label } = input
  const topics = label === undefined ? null : await findLabelTopics(services, keeper.id, label)
  const isRenamed = label !== undefined && normalizeTopicName(existing.label) !== normalizeTopicName(label)
  const notices = topics && isRenamed ? await checkTopicTriggers(services, keeper.id, topics) : noTriggerNotices
  const row = await mapMediaConflict(() =>
    saveEntry(services, person, {
      entity: 'voice',
      id,
      ifMatch,
      changes(current) {
        const changes: EntryChanges<'voice'> = {}
        if (label !== undefined) changes.label = label
        if (input.belief !== undefined) changes.belief = input.belief
        if (input.aiVisible !== undefined) changes.ai_visible = input.aiVisible
        if (input.strength !== undefined) changes.strength = input.strength
        if (input.audioId !== undefined && input.audioId !== current.audio_id) {
          const emptyTranscript = {
            transcript: null,
            transcript_status: 'none' as const,
            transcript_error: null,
            language: null,
          }
          Object.assign(changes, emptyTranscript, {
            audio_id: input.audioId,
            duration_ms: recording?.duration_ms ?? null,
          })
        }
        return changes
      },
      extraWrites: (current) => [
        ...(input.audioId === undefined || input.audioId === current.audio_id
          ? []
          : createMediaWrites(services, keeper, { entity: 'voice', id }, recording ? [recording] : [])),
        ...(topics ? buildTopicLinkWrites(services, keeper, toEntryRef(current), topics) : []),
        ...notices.writes,
      ],
      view: (current) => ({ ...toVoiceEntry(current) }),
    }),
  )
  notices.notify()
  return toVoiceEntry(row)
}

const toEntryRef = (row: Pick<VoiceRow, 'id' | 'created_at'>) => ({
  entity: 'voice' as const,
  id: row.id,
  saidAt: row.created_at,
})

/** A belief only mentions an existing topic with the name of its label. */
async function findLabelTopics(services: Services, keeperId: string, label: string): Promise<LinkedTopic[]> {
  return [...(await findTopics(services, keeperId, [normalizeTopicName(label)])).values()]
}

/** Another entry may have taken the recording concurrently. */
async function mapMediaConflict<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw toMediaProblem(error, 'audioId')
  }
}

/** An unused upload of this person to this keeper, or the current recording of `entryId`. @throws Problem 400 */
async function requireRecording(
  services: Services,
  keeper: { id: string; owner_id: string },
  audioId: string,
  entryId: string | undefined,
): Promise<MediaRow> {
  const entry = entryId === undefined ? undefined : { entity: 'voice' as const, id: entryId }
  const [file] = await requireAttachableMedia(services, keeper, [audioId], entry, 'audioId')
  if (!file || !(mediaTypes.audio as readonly string[]).includes(file.mime))
    throw badField('audioId', 'This file isn’t a recording. Upload a recording and use its ID.')
  return file
}

export type VoiceRow = EntryRow<'voice'>

export function toVoiceEntry(row: VoiceRow): VoiceEntry {
  return {
    id: row.id,
    keeperId: row.keeper_id,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    rev: row.rev,
    agentId: row.agent_id,
    label: row.label,
    belief: row.belief,
    aiVisible: row.ai_visible,
    audioId: row.audio_id,
    durationMs: row.duration_ms,
    transcript: row.transcript,
    transcriptStatus: row.transcript_status,
    transcriptError: row.transcript_error,
    language: row.language,
    strength: row.strength,
    stillTrue: parseJsonColumn(row.still_true).map(({ answer, note, at }) => ({ answer, note, at })),
  }
}

const voiceOrder: PageOrder = [
  [sql.ref('created_at'), 'desc'],
  [sql.ref('id'), 'desc'],
]

/** Newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listVoice(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<VoiceEntry[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const voiceQuery = services.db
    .selectFrom('voice_entries')
    .selectAll()
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
  const { rows, next_cursor } = await readPage(voiceQuery, {
    order: voiceOrder,
    after: parseCursor(cursor, [0, '']),
    getPosition: ({ created_at, id }) => [created_at, id],
    size: sql<number>`octet_length(belief) + coalesce(octet_length(transcript), 0)`,
    read: (query) => services.db.longRead(query),
  })
  return new Reply(rows.map(toVoiceEntry), { extra: { next_cursor } })
}

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
