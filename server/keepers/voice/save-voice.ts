import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { defaultAgentId } from '#contract/keepers/keeper-fields.ts'
import { mediaTypes } from '#contract/keepers/media.ts'
import { normalizeTopicName } from '#contract/keepers/topics.ts'
import type { VoiceEntry, voice } from '#contract/keepers/voice.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { orderByColumns, parseCursor, readPage } from '#server/http/pages.ts'
import { badField } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { buildTopicEffects } from '../echoes/check-entry-triggers.ts'
import { createEntry, noSource } from '../entries/create-entry.ts'
import { type EntryRow, parseJsonColumn, toRecordFields } from '../entries/entry-tables.ts'
import { publishKeeperChanged } from '../entries/publish-keeper-changed.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { noSideEffects, saveEntry } from '../entries/save-entry.ts'
import { isActiveIn, requireKeeperFor, requireMatchingKeeper, toKeeperRef } from '../keeper-access.ts'
import { createMediaWrites, requireAttachableMedia, toMediaProblem } from '../media/attach-media.ts'
import type { MediaRow } from '../media/media-view.ts'
import { findTopics, type LinkedTopic } from '../topics/link-topics.ts'

type NewVoice = z.output<typeof voice.create.body & {}>
type ChangedVoice = z.output<typeof voice.update.body & {}>

export async function createVoice(
  services: Services,
  person: Person,
  keeperId: string,
  input: NewVoice,
): Promise<VoiceEntry> {
  const keeper = await requireMatchingKeeper(services, person, keeperId, input.keeperId)
  const recording = input.audioId ? await requireRecording(services, keeper, input.audioId, input.id) : null
  const row = await createEntry(services, keeper, {
    entity: 'voice',
    id: input.id,
    createdAt: input.createdAt,
    values: {
      ...noSource,
      ...emptyTranscript,
      agent_id: input.agentId || defaultAgentId,
      label: input.label,
      belief: input.belief,
      ai_visible: input.aiVisible ?? true,
      audio_id: recording?.id ?? null,
      duration_ms: recording?.duration_ms ?? null,
      transcript_until: null,
      strength: input.strength ?? null,
      still_true: json([]),
    },
    extraWrites: (id) => (recording ? createMediaWrites(services, keeper, { entity: 'voice', id }, [recording]) : []),
    sideEffects: async (entry) =>
      buildTopicEffects(services, 'voice', entry, { topics: await findLabelTopics(services, keeper.id, input.label) }),
  }).catch(rethrowMediaConflict)
  return toVoiceEntry(row)
}

const emptyTranscript = { transcript: null, transcript_status: 'none', transcript_error: null, language: null } as const

/** A new recording discards the transcript. */
export async function updateVoice(
  services: Services,
  person: Person,
  id: string,
  input: ChangedVoice,
  ifMatch: number | null,
): Promise<VoiceEntry> {
  const { label, belief, aiVisible, strength, audioId } = input
  let recording: MediaRow | null = null
  const hasNewAudio = (current: VoiceRow) => audioId !== undefined && audioId !== current.audio_id
  const row = await saveEntry(services, person, {
    entity: 'voice',
    id,
    ifMatch,
    async getChanges(current) {
      recording = audioId ? await requireRecording(services, toKeeperRef(current), audioId, id) : null
      return {
        label,
        belief,
        ai_visible: aiVisible,
        strength,
        ...(hasNewAudio(current) && {
          ...emptyTranscript,
          audio_id: audioId,
          duration_ms: recording?.duration_ms ?? null,
        }),
      }
    },
    extraWrites: (current) =>
      hasNewAudio(current)
        ? createMediaWrites(services, toKeeperRef(current), { entity: 'voice', id }, recording ? [recording] : [])
        : [],
    async sideEffects(current) {
      if (label === undefined) return noSideEffects
      const topics = await findLabelTopics(services, current.keeper_id, label)
      const isRenamed = normalizeTopicName(current.label) !== normalizeTopicName(label)
      return buildTopicEffects(services, 'voice', current, { topics, newTopics: isRenamed ? topics : [] })
    },
    toView: (current) => ({ ...toVoiceEntry(current) }),
  }).catch(rethrowMediaConflict)
  return toVoiceEntry(row)
}

/** A belief only mentions an existing topic with the name of its label. */
async function findLabelTopics(services: Services, keeperId: string, label: string): Promise<LinkedTopic[]> {
  return [...(await findTopics(services, keeperId, [normalizeTopicName(label)])).values()]
}

/** Another entry may have taken the recording concurrently. */
function rethrowMediaConflict(error: unknown): never {
  throw toMediaProblem(error, 'audioId')
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
    ...toRecordFields(row),
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

const voiceOrder = orderByColumns({ created_at: 'desc', id: 'desc' })

/** Newest first. @throws Problem 404; 400 for an invalid cursor */
export async function listVoice(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<VoiceEntry[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const voiceQuery = services.db.selectFrom('voice_entries').selectAll().where(isActiveIn(keeper.id))
  const { rows, next_cursor } = await readPage(voiceQuery, {
    ...voiceOrder,
    after: parseCursor(cursor, ['number', 'string']),
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
