import { getInstant, getLocalDay, getLocalTime } from '#contract/keepers/local-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { createClientId } from '#web/offline/create-client-id.ts'
import { applyPendingWrites, type PendingWrite } from '#web/offline/pending-write.ts'
import { getChanges } from '#web/offline/use-entity-form.tsx'
import { formatTime, getLocalTimeZone } from '#web/ui/text/format-time.ts'
import type { PickedMedia } from '../media/form-uploads.ts'
import { toPendingMedia } from '../media/use-media-url.ts'

export interface LocalDateTime {
  day: string
  /** `18:05`. */
  time: string
  timezone: string
}

/** An unsaved moment in the editor, also stored in this browser. */
export interface MomentDraft {
  /** Client-generated, so that a retry can't create a second moment. */
  id: string
  title: string
  body: string
  mood: { score: number; label: string } | null
  place: { name: string; lat: number | null; lng: number | null } | null
  topics: string[]
  media: PickedMedia[]
  /** When it happened; `null` uses the time at which the moment is saved. Stored drafts contain this field name. */
  lived: LocalDateTime | null
  journeyId: string | null
  aiVisible: boolean
  /** The question of the day shown when the text was started. */
  promptId?: string | undefined
}

export const createBlankMomentDraft = (): MomentDraft => ({
  id: createClientId(),
  title: '',
  body: '',
  mood: null,
  place: null,
  topics: [],
  media: [],
  lived: null,
  journeyId: null,
  aiVisible: true,
  promptId: undefined,
})

/** Ties text to the question shown in the empty box, until the box is cleared. */
export function assignPrompt(previous: MomentDraft, next: MomentDraft, promptId: string | undefined): MomentDraft {
  if (next.body === '') return { ...next, promptId: undefined }
  return previous.body === '' ? { ...next, promptId } : next
}

export const hasContent = ({ body, media }: Pick<MomentDraft, 'body' | 'media'>) =>
  body.trim() !== '' || media.length > 0

export function getLocalNow(now = Date.now(), timezone = getLocalTimeZone()): LocalDateTime {
  return { day: getLocalDay(timezone, now), time: getLocalTime(timezone, now), timezone }
}

export function toMomentDraft(moment: Moment): MomentDraft {
  const { id, title, body, mood, place, topics, media, timezone, localDate, occurredAt, journeyId, aiVisible } = moment
  return {
    id,
    title: title ?? '',
    body,
    mood: mood && { score: mood.score, label: mood.label ?? '' },
    place,
    topics: topics.map(({ name }) => name),
    media: media.map(({ id: mediaId, kind, mime, name, alt, width, height, durationMs }) => ({
      id: mediaId,
      kind,
      mime,
      name,
      alt,
      ...(width !== null && { width }),
      ...(height !== null && { height }),
      ...(durationMs !== null && { durationMs }),
    })),
    lived: { day: localDate, time: getLocalTime(timezone, Date.parse(occurredAt)), timezone },
    journeyId,
    aiVisible,
  }
}

export function applyMomentWrites(moment: Moment, writes: readonly PendingWrite[]): Moment {
  const toTopic = (name: string) =>
    moment.topics.find((topic) => topic.name === name) ?? { id: name, name, color: 'iron-gall' }
  const toMedia = (id: string) => moment.media.find((media) => media.id === id) ?? toPendingMedia(id, writes)
  return applyPendingWrites(moment, writes.map(renameMediaIdsField), {
    topics: (names: string[]) => names.map(toTopic),
    media: (ids: string[]) => ids.map(toMedia),
  })
}

function renameMediaIdsField(write: PendingWrite): PendingWrite {
  const { mediaIds, ...otherFields } = write.body ?? {}
  return mediaIds === undefined ? write : { ...write, body: { ...otherFields, media: mediaIds } }
}

/** All fields that a save sends, except the time. */
function toSavedFields(draft: MomentDraft) {
  const { title, body, mood, place, topics, media, journeyId, aiVisible } = draft
  return {
    title: title.trim() || null,
    body,
    mood: mood && { score: mood.score, label: mood.label.trim() || null },
    place: place?.name.trim() ? { ...place, name: place.name.trim() } : null,
    topics,
    mediaIds: media.map(({ id }) => id),
    journeyId,
    aiVisible,
  }
}

export function toCreateBody(draft: MomentDraft, now = Date.now()) {
  const { day, timezone } = draft.lived ?? getLocalNow(now)
  const occurredAt = draft.lived ? toInstant(draft.lived) : now
  return {
    id: draft.id,
    ...toSavedFields(draft),
    ...(draft.promptId && { promptId: draft.promptId }),
    occurredAt: new Date(occurredAt).toISOString(),
    localDate: day,
    timezone,
  }
}

/** Only fields that differ from `previous`, so that concurrent changes to other fields survive. */
export function getChangedFields(previous: MomentDraft, draft: MomentDraft) {
  const changedFields = getChanges(toSavedFields(previous), toSavedFields(draft))
  const { lived: localTime } = draft
  if (!localTime || JSON.stringify(localTime) === JSON.stringify(previous.lived)) return changedFields
  const occurredAt = new Date(toInstant(localTime)).toISOString()
  return { ...changedFields, occurredAt, localDate: localTime.day, timezone: localTime.timezone }
}

/** A field of a version as text for the comparison; `undefined` for a field that needs no formatting. */
export function formatMomentField(name: string, value: unknown): string | undefined {
  if (name === 'occurredAt') return formatTime(String(value), 'date-time')
  if (name !== 'mood' || !value) return undefined
  const { score, label } = value as { score: number; label: string | null }
  return [moodLabels[score], label?.trim()].filter(Boolean).join(': ')
}

/** 'Nov 20, 2026, 2:38 AM', in the moment's own time zone. */
export function formatLocalTime({ day, time }: Pick<LocalDateTime, 'day' | 'time'>): string {
  return time ? formatTime(`${day}T${time}Z`, 'date-time', 'UTC') : formatTime(`${day}T12:00Z`, 'date', 'UTC')
}

const toInstant = ({ timezone, day, time }: LocalDateTime) => getInstant(timezone, day, time || '12:00')

export const moodLabels: Record<number, string> = {
  '-2': 'Very low',
  '-1': 'Low',
  0: 'Even',
  1: 'Good',
  2: 'Very good',
}

export const moodScores = [-2, -1, 0, 1, 2]

/** The person's own label, otherwise the label of the score, such as 'Good'. */
export const formatMood = (mood: { score: number; label: string | null }): string =>
  mood.label?.trim() || (moodLabels[mood.score] ?? String(mood.score))
