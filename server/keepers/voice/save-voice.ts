import type * as z from 'zod/mini'
import { defaultAgentId } from '#contract/keepers/keeper-words.ts'
import { foldedTopic } from '#contract/keepers/topics.ts'
import type { VoiceEntry, voice } from '#contract/keepers/voice.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { noNotices, noticeTopics } from '../echoes/notice.ts'
import { makeEntry } from '../entries/make-entry.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { type EntryChanges, saveEntry } from '../entries/save-entry.ts'
import { requireKeeperToWriteIn } from '../keeper-access.ts'
import { showMedia, tellMediaGone } from '../media/attach-media.ts'
import { findTopics, type LinkedTopic, topicLinks } from '../topics/link-topics.ts'
import { requireRecording } from './recordings.ts'
import { type VoiceRow, voiceView } from './voice-view.ts'

type NewVoice = z.output<typeof voice.create.body & {}>
type ChangedVoice = z.output<typeof voice.update.body & {}>

export async function createVoice(
  services: Services,
  person: Person,
  keeperId: string,
  given: NewVoice,
): Promise<VoiceEntry> {
  const keeper = await requireKeeperToWriteIn(services, person, keeperId, given.keeperId)
  const recording = given.audioId ? await requireRecording(services, keeper, given.audioId, given.id) : null
  const topics = await topicsCalled(services, keeper.id, given.label)
  const notices = await noticeTopics(services, keeper.id, topics)
  const now = services.now().getTime()
  const createdAt = Math.min(given.createdAt ? Date.parse(given.createdAt) : now, now)
  const row = await orTaken(() =>
    makeEntry(services, keeper, {
      entity: 'voice',
      id: given.id,
      createdAt,
      values: {
        agent_id: given.agentId || defaultAgentId,
        label: given.label,
        belief: given.belief,
        ai_visible: given.aiVisible ?? true,
        audio_id: recording?.id ?? null,
        duration_ms: recording?.duration_ms ?? null,
        transcript: null,
        transcript_status: 'none',
        language: null,
        strength: given.strength ?? null,
        still_true: json([]),
        source_kind: null,
        source_id: null,
      },
      along: (id) => [
        ...(recording ? showMedia(services, keeper, { entity: 'voice', id }, [recording]) : []),
        ...topicLinks(services, keeper, saidIn({ id, created_at: createdAt }), topics),
        ...notices.writes,
      ],
    }),
  )
  notices.tell()
  return voiceView(row)
}

/** A new recording discards the transcript. */
export async function updateVoice(
  services: Services,
  person: Person,
  id: string,
  given: ChangedVoice,
  ifMatch: number | null,
): Promise<VoiceEntry> {
  const present = await requireEntryFor(services, person, 'voice', id)
  const keeper = { id: present.keeper_id, owner_id: present.owner_id }
  const recording = given.audioId ? await requireRecording(services, keeper, given.audioId, id) : null
  const { label } = given
  const topics = label === undefined ? null : await topicsCalled(services, keeper.id, label)
  const isOther = label !== undefined && foldedTopic(present.label) !== foldedTopic(label)
  const notices = topics && isOther ? await noticeTopics(services, keeper.id, topics) : noNotices
  const row = await orTaken(() =>
    saveEntry(services, person, {
      entity: 'voice',
      id,
      ifMatch,
      changes(now) {
        const changes: EntryChanges<'voice'> = {}
        if (label !== undefined) changes.label = label
        if (given.belief !== undefined) changes.belief = given.belief
        if (given.aiVisible !== undefined) changes.ai_visible = given.aiVisible
        if (given.strength !== undefined) changes.strength = given.strength
        if (given.audioId !== undefined && given.audioId !== now.audio_id) {
          const none = { transcript: null, transcript_status: 'none' as const, transcript_error: null, language: null }
          Object.assign(changes, none, { audio_id: given.audioId, duration_ms: recording?.duration_ms ?? null })
        }
        return changes
      },
      along: (now) => [
        ...(given.audioId === undefined || given.audioId === now.audio_id
          ? []
          : showMedia(services, keeper, { entity: 'voice', id }, recording ? [recording] : [])),
        ...(topics ? topicLinks(services, keeper, saidIn(now), topics) : []),
        ...notices.writes,
      ],
      view: (now) => ({ ...voiceView(now) }),
    }),
  )
  notices.tell()
  return voiceView(row)
}

const saidIn = (row: Pick<VoiceRow, 'id' | 'created_at'>) => ({
  entity: 'voice' as const,
  id: row.id,
  saidAt: row.created_at,
})

/** A belief only mentions an existing topic with the name of its label. */
async function topicsCalled(services: Services, keeperId: string, label: string): Promise<LinkedTopic[]> {
  return [...(await findTopics(services, keeperId, [foldedTopic(label)])).values()]
}

/** Another entry may have taken the recording concurrently. */
async function orTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw tellMediaGone(error, 'audioId')
  }
}
