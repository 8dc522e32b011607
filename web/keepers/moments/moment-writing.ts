import { clockIn, dayIn, instantIn } from '#contract/keepers/lived-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { newClientId } from '#web/offline/new-client-id.ts'
import type { PickedMedia } from '../media/use-uploads.ts'

/** When it was lived, as the clock there showed it. */
export interface Lived {
  day: string
  /** `18:05`. */
  time: string
  timezone: string
}

/** A moment in the making: what its editor holds and its draft keeps. */
export interface MomentWriting {
  /** Made here, so that it is there once however often it is sent. */
  id: string
  title: string
  body: string
  mood: { score: number; label: string } | null
  place: { name: string; lat: number | null; lng: number | null } | null
  topics: string[]
  media: PickedMedia[]
  /** `null`: now, whenever it is saved. */
  lived: Lived | null
  journeyId: string | null
  aiVisible: boolean
}

export const blankWriting = (): MomentWriting => ({
  id: newClientId(),
  title: '',
  body: '',
  mood: null,
  place: null,
  topics: [],
  media: [],
  lived: null,
  journeyId: null,
  aiVisible: true,
})

export const hasContent = ({ body, media }: Pick<MomentWriting, 'body' | 'media'>) =>
  body.trim() !== '' || media.length > 0

export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

export function livedNow(now = Date.now(), timezone = ownTimeZone()): Lived {
  return { day: dayIn(timezone, now), time: clockIn(timezone, now), timezone }
}

export function writingOf(moment: Moment): MomentWriting {
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
    lived: { day: localDate, time: clockIn(timezone, Date.parse(occurredAt)), timezone },
    journeyId,
    aiVisible,
  }
}

/** What a save sends of all but the time. */
function fieldsOf(writing: MomentWriting) {
  const { title, body, mood, place, topics, media, journeyId, aiVisible } = writing
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

export function createBody(writing: MomentWriting, now = Date.now()) {
  const { day, timezone } = writing.lived ?? livedNow(now)
  const occurredAt = writing.lived ? instantOf(writing.lived) : now
  return {
    id: writing.id,
    ...fieldsOf(writing),
    occurredAt: new Date(occurredAt).toISOString(),
    localDate: day,
    timezone,
  }
}

/** Only what differs from `before`, so that what somebody else changed meanwhile stays. */
export function changedBody(before: Moment, writing: MomentWriting) {
  const was = fieldsOf(writingOf(before))
  const is = fieldsOf(writing)
  const changed = Object.fromEntries(
    Object.entries(is).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name as keyof typeof was]),
    ),
  ) as Partial<typeof is>
  const livedWas = writingOf(before).lived
  const { lived } = writing
  if (!lived || JSON.stringify(lived) === JSON.stringify(livedWas)) return changed
  const occurredAt = new Date(instantOf(lived)).toISOString()
  return { ...changed, occurredAt, localDate: lived.day, timezone: lived.timezone }
}

const instantOf = ({ timezone, day, time }: Lived) => instantIn(timezone, day, time || '12:00')

export const moodWords: Record<number, string> = { '-2': 'Very low', '-1': 'Low', 0: 'Even', 1: 'Good', 2: 'Very good' }

/** 'Good', or the person's own word. */
export const moodWord = (mood: { score: number; label: string | null }): string =>
  mood.label?.trim() || (moodWords[mood.score] ?? String(mood.score))
