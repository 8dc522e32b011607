import type * as z from 'zod/mini'
import { getInstant, getLocalDay, getLocalTime } from '#contract/keepers/local-time.ts'
import type { Moment, moments } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import { json } from '#server/db/database.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { buildTopicEffects } from '../echoes/check-entry-triggers.ts'
import { insertEntry, noSource } from '../entries/create-entry.ts'
import { requireEntryInKeeper } from '../entries/require-entry.ts'
import { noSideEffects, saveEntry } from '../entries/save-entry.ts'
import { requireMatchingKeeper, toKeeperRef } from '../keeper-access.ts'
import { createMediaWrites, requireAttachableMedia, toMediaProblem } from '../media/attach-media.ts'
import { type MediaRow, toMedia } from '../media/media-view.ts'
import { filterNewTopics, type LinkedTopic, resolveTopics } from '../topics/link-topics.ts'
import { toMoment, toMomentView } from './moment-view.ts'

type NewMoment = z.output<NonNullable<typeof moments.create.body>>
type MomentChange = z.output<NonNullable<typeof moments.update.body>>
type MomentFields = Omit<MomentChange, 'occurredAt' | 'localDate' | 'timezone' | 'body' | 'topics' | 'mediaIds'>

/** @throws Problem 404; 400 for an empty moment or files or a journey of another keeper; 409 for an id in use */
export async function createMoment(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  input: NewMoment,
): Promise<Moment> {
  const keeper = await requireMatchingKeeper(services, person, keeperId, input.keeperId)
  const id = input.id ?? services.newId()
  const entryRef = { entity: 'moment', id } as const
  const files = await requireAttachableMedia(services, keeper, input.mediaIds ?? [], entryRef)
  if (input.body.trim() === '' && files.length === 0) throw createNoContentProblem()
  await requireEntryInKeeper(services, keeper, 'journey', input.journeyId, 'journeyId')
  const topics = await resolveTopics(services, keeper, input.topics ?? [])
  const occurrence = getOccurrence(input, services.now().getTime())
  const { row, isNew } = await insertEntry(services, keeper, {
    entity: 'moment',
    id,
    values: {
      ...noSource,
      title: null,
      mood_score: null,
      mood_label: null,
      place: null,
      weather: null,
      journey_id: null,
      pinned: false,
      ai_visible: true,
      ...toMomentColumns(input),
      ...occurrence,
      body: input.body,
      prompt_id: input.promptId || null,
      import_id: null,
    },
    extraWrites: () => (files.length > 0 ? createMediaWrites(services, keeper, entryRef, files) : []),
    sideEffects: (entry) =>
      topics.length > 0
        ? buildTopicEffects(services, 'moment', entry, { topics, saidAt: occurrence.occurred_at })
        : noSideEffects,
  }).catch((error: unknown) => {
    throw toMediaProblem(error)
  })
  return isNew && topics.length === 0 && files.length === 0 ? toMomentView(row, [], []) : toMoment(services, row)
}

function getOccurrence(input: NewMoment, now: number) {
  const timezone = input.timezone ?? 'UTC'
  if (input.occurredAt !== undefined || input.localDate === undefined) {
    const occurred_at = input.occurredAt === undefined ? now : Date.parse(input.occurredAt)
    return { occurred_at, timezone, local_date: input.localDate ?? getLocalDay(timezone, occurred_at) }
  }
  const isToday = input.localDate === getLocalDay(timezone, now)
  const occurred_at = isToday ? now : getInstant(timezone, input.localDate, getLocalTime(timezone, now))
  return { occurred_at, timezone, local_date: input.localDate }
}

/** Absent fields keep their values, even the local day when the time changes. @throws Problem 404; `stale`; 400 */
export async function updateMoment(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  input: MomentChange,
  ifMatch: number | null,
): Promise<Moment> {
  const entryRef = { entity: 'moment', id } as const
  const occurredAt = input.occurredAt === undefined ? undefined : Date.parse(input.occurredAt)
  let topics: LinkedTopic[] | undefined
  let files: MediaRow[] | undefined
  let loadedRevision = 0
  const row = await saveEntry(services, person, {
    entity: 'moment',
    id,
    ifMatch,
    async getChanges(current) {
      const keeper = toKeeperRef(current)
      loadedRevision = current.rev
      if (input.journeyId !== current.journey_id)
        await requireEntryInKeeper(services, keeper, 'journey', input.journeyId, 'journeyId')
      files = input.mediaIds && (await requireAttachableMedia(services, keeper, input.mediaIds, entryRef))
      const hasFiles = files ? files.length > 0 : await hasStoredFiles(services, id)
      if ((input.body ?? current.body).trim() === '' && !hasFiles) throw createNoContentProblem()
      const { body, localDate, timezone } = input
      return { ...toMomentColumns(input), body, occurred_at: occurredAt, local_date: localDate, timezone }
    },
    extraWrites: (current) => [
      ...(!input.topics && occurredAt !== undefined ? [createMentionTimeWrite(services, id, occurredAt)] : []),
      ...(files ? createMediaWrites(services, toKeeperRef(current), entryRef, files) : []),
    ],
    async sideEffects(current) {
      if (!input.topics) return noSideEffects
      topics = await resolveTopics(services, { id: current.keeper_id }, input.topics)
      const newTopics = await filterNewTopics(services, 'moment', id, topics)
      return buildTopicEffects(services, 'moment', current, {
        topics,
        newTopics,
        saidAt: occurredAt ?? current.occurred_at,
      })
    },
    async toView(current) {
      const view = await toMoment(services, current)
      if (current.rev === loadedRevision) return view
      return { ...view, ...(topics && { topics: toTopicRefs(topics) }), ...(files && { media: files.map(toMedia) }) }
    },
  })
  return toMoment(services, row)
}

const createMentionTimeWrite = ({ db }: Services, id: string, mentionedAt: number) =>
  db
    .updateTable('entry_topics')
    .set({ said_at: mentionedAt })
    .where('entity', '=', 'moment')
    .where('entity_id', '=', id)

const toTopicRefs = (topics: LinkedTopic[]) => topics.map(({ id, name, color }) => ({ id, name, color }))

async function hasStoredFiles({ db }: Services, id: string): Promise<boolean> {
  const file = await db
    .selectFrom('media')
    .select('id')
    .where('entity', '=', 'moment')
    .where('entity_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return file !== undefined
}

const createNoContentProblem = () => badField('body', 'Write something, or add a picture or a recording.')

function toMomentColumns(fields: MomentFields) {
  const { title, mood, place, weather, journeyId, pinned, aiVisible } = fields
  return {
    ...(title !== undefined && { title: title || null }),
    ...(mood !== undefined && { mood_score: mood?.score ?? null, mood_label: mood?.label || null }),
    ...(place !== undefined && {
      place: place && json({ name: place.name, lat: place.lat ?? null, lng: place.lng ?? null }),
    }),
    ...(weather !== undefined && { weather: weather && json(weather) }),
    ...(journeyId !== undefined && { journey_id: journeyId || null }),
    ...(pinned !== undefined && { pinned }),
    ...(aiVisible !== undefined && { ai_visible: aiVisible }),
  }
}
