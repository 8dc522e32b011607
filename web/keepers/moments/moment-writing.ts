import { clockIn, dayIn, instantIn } from '#contract/keepers/lived-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { ConflictField } from '#web/offline/conflict-dialog.tsx'
import { newClientId } from '#web/offline/new-client-id.ts'
import { overlaps } from '#web/offline/overlaps.ts'
import type { PendingWrite } from '#web/offline/pending-write.ts'
import { withWaiting } from '#web/offline/with-waiting.ts'
import { formatTime, ownTimeZone } from '#web/ui/format-time.ts'
import type { PickedMedia } from '../media/use-uploads.ts'
import { waitingMedia } from '../media/waiting-media.ts'

/** Local date and time in a time zone. */
export interface Lived {
  day: string
  /** `18:05`. */
  time: string
  timezone: string
}

/** An unsaved moment, as held by the editor and stored in its draft. */
export interface MomentWriting {
  /** Client-generated, so that a retry can't create a second moment. */
  id: string
  title: string
  body: string
  mood: { score: number; label: string } | null
  place: { name: string; lat: number | null; lng: number | null } | null
  topics: string[]
  media: PickedMedia[]
  /** `null` uses the time at which the moment is saved. */
  lived: Lived | null
  journeyId: string | null
  aiVisible: boolean
  /** The question of the day shown when the text was started. */
  promptId?: string | undefined
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

/** Ties text to the question shown in the empty box, until the box is cleared. */
export function answering(before: MomentWriting, after: MomentWriting, promptId: string | undefined): MomentWriting {
  if (after.body === '') return { ...after, promptId: undefined }
  return before.body === '' ? { ...after, promptId } : after
}

export const hasContent = ({ body, media }: Pick<MomentWriting, 'body' | 'media'>) =>
  body.trim() !== '' || media.length > 0

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

/** Applies queued writes to a moment. */
export function momentWithWaiting(moment: Moment, writes: readonly PendingWrite[]): Moment {
  const topicOf = (name: string) =>
    moment.topics.find((topic) => topic.name === name) ?? { id: name, name, color: 'iron-gall' }
  const mediaOf = (id: string) => moment.media.find((media) => media.id === id) ?? waitingMedia(id, writes)
  return withWaiting(moment, writes.map(namingMedia), {
    topics: (names: string[]) => names.map(topicOf),
    media: (ids: string[]) => ids.map(mediaOf),
  })
}

function namingMedia(write: PendingWrite): PendingWrite {
  const { mediaIds, ...rest } = write.body ?? {}
  return mediaIds === undefined ? write : { ...write, body: { ...rest, media: mediaIds } }
}

/** All fields that a save sends, except the time. */
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
    ...(writing.promptId && { promptId: writing.promptId }),
    occurredAt: new Date(occurredAt).toISOString(),
    localDate: day,
    timezone,
  }
}

/** Only fields that differ from `previous`, so that concurrent changes to other fields survive. */
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

/** The changed fields merged onto a concurrent save: remote additions of topics and files stay, removals too. */
export function changedOnto(before: Moment, writing: MomentWriting, current: Moment) {
  const mine = changedBody(before, writing)
  const was = fieldsOf(writingOf(before))
  const is = fieldsOf(writingOf(current))
  return {
    ...mine,
    ...(mine.topics && { topics: together(was.topics, mine.topics, is.topics) }),
    ...(mine.mediaIds && { mediaIds: together(was.mediaIds, mine.mediaIds, is.mediaIds) }),
  }
}

function together(was: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  if (JSON.stringify(theirs) === JSON.stringify(was)) return [...mine]
  const kept = theirs.filter((each) => mine.includes(each) || !was.includes(each))
  return [...kept, ...mine.filter((each) => !was.includes(each) && !kept.includes(each))]
}

/** Conflicting fields other than texts, which can't be merged. */
export function choicesIn(before: Moment, writing: MomentWriting, current: Moment): ConflictField[] {
  const theirWriting = writingOf(current)
  const mine = changedBody(before, writing)
  const theirs = changedBody(before, theirWriting)
  const names = Object.keys(mine).filter((name) =>
    ['mood', 'place', 'journeyId', 'aiVisible', 'occurredAt'].includes(name),
  )
  const only = Object.fromEntries(names.map((name) => [name, mine[name as keyof typeof mine]]))
  return overlaps(only, theirs).map((field) => {
    if (field.name === 'occurredAt')
      return { ...field, label: 'When', yours: livedChoice(writing.lived), current: livedChoice(theirWriting.lived) }
    if (field.name !== 'mood') return field
    return { ...field, yours: moodChoice(writing.mood), current: moodChoice(theirWriting.mood) }
  })
}

/** Leaves out fields for which the remote value was chosen. */
export function withoutTheirs(
  body: ReturnType<typeof changedOnto>,
  choices: ConflictField[],
  values: Record<string, string>,
) {
  const theirs = choices.filter(({ name, current }) => values[name] === current).map(({ name }) => name)
  if (theirs.includes('occurredAt')) theirs.push('localDate', 'timezone')
  return Object.fromEntries(Object.entries(body).filter(([name]) => !theirs.includes(name))) as typeof body
}

/** 'Nov 20, 2026, 2:38 AM', in the moment's own time zone. */
export function livedWords({ day, time }: Pick<Lived, 'day' | 'time'>): string {
  return time ? formatTime(`${day}T${time}Z`, 'date-time', 'UTC') : formatTime(`${day}T12:00Z`, 'date', 'UTC')
}

const livedChoice = (lived: Lived | null) => (lived ? `${livedWords(lived)}, ${lived.timezone}` : 'Now')
const moodChoice = (mood: MomentWriting['mood']) =>
  mood ? [moodWords[mood.score], mood.label.trim()].filter(Boolean).join(': ') : 'Nothing'

const instantOf = ({ timezone, day, time }: Lived) => instantIn(timezone, day, time || '12:00')

export const moodWords: Record<number, string> = { '-2': 'Very low', '-1': 'Low', 0: 'Even', 1: 'Good', 2: 'Very good' }

/** The person's own label, or 'Good'. */
export const moodWord = (mood: { score: number; label: string | null }): string =>
  mood.label?.trim() || (moodWords[mood.score] ?? String(mood.score))
