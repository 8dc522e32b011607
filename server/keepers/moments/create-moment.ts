import { getInstant, getLocalDay, getLocalTime } from '#contract/keepers/local-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { buildTopicEffects } from '../echoes/check-entry-triggers.ts'
import { insertEntry, noSource } from '../entries/create-entry.ts'
import { requireEntryInKeeper } from '../entries/require-entry.ts'
import { noSideEffects } from '../entries/save-entry.ts'
import { requireMatchingKeeper } from '../keeper-access.ts'
import { createMediaWrites, requireAttachableMedia, toMediaProblem } from '../media/attach-media.ts'
import { resolveTopics } from '../topics/link-topics.ts'
import { createNoContentProblem, type NewMoment, toMomentColumns } from './moment-columns.ts'
import { toMoment, toMomentView } from './moment-view.ts'

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
