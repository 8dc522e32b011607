import type { Moment } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { checkTopicTriggers } from '../echoes/check-entry-triggers.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { createMediaWrites, requireAttachableMedia } from '../media/attach-media.ts'
import { type MediaRow, toMedia } from '../media/media-view.ts'
import { buildTopicLinkWrites, type LinkedTopic, resolveTopics } from '../topics/link-topics.ts'
import { createNoContentProblem, type MomentChange, requireMomentJourney, toMomentColumns } from './moment-columns.ts'
import { toMoment } from './moment-view.ts'

/** Absent members stay, including the local day after a change of hour. @throws Problem 404; `stale`; 400 */
export async function updateMoment(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  input: MomentChange,
  ifMatch: number | null,
): Promise<Moment> {
  const previous = await requireEntryFor(services, person, 'moment', id)
  const keeper = { id: previous.keeper_id, owner_id: previous.owner_id }
  const entryRef = { entity: 'moment', id } as const
  await requireMomentJourney(services, keeper, input.journeyId === previous.journey_id ? null : input.journeyId)
  const topics = input.topics && (await resolveTopics(services, keeper, input.topics))
  const previousTopicIds = topics ? await loadTopicIds(services, id) : []
  const newTopics = topics?.filter((topic) => !previousTopicIds.includes(topic.id)) ?? []
  const notices = await checkTopicTriggers(services, keeper.id, newTopics)
  let files: MediaRow[] | undefined
  let loadedRevision = previous.rev
  const row = await saveEntry(services, person, {
    entity: 'moment',
    id,
    ifMatch,
    async changes(row) {
      loadedRevision = row.rev
      files = input.mediaIds && (await requireAttachableMedia(services, keeper, input.mediaIds, entryRef))
      const hasFiles = files ? files.length > 0 : await hasStoredFiles(services, id)
      if ((input.body ?? row.body).trim() === '' && !hasFiles) throw createNoContentProblem()
      return {
        ...toMomentColumns(input),
        ...(input.body !== undefined && { body: input.body }),
        ...(input.occurredAt !== undefined && { occurred_at: Date.parse(input.occurredAt) }),
        ...(input.localDate !== undefined && { local_date: input.localDate }),
        ...(input.timezone !== undefined && { timezone: input.timezone }),
      }
    },
    extraWrites: (row) => [
      ...(topics
        ? buildTopicLinkWrites(
            services,
            keeper,
            { ...entryRef, saidAt: getMentionedAt(input, row.occurred_at) },
            topics,
          )
        : []),
      ...(!topics && input.occurredAt !== undefined
        ? [createMentionTimeWrite(services, id, Date.parse(input.occurredAt))]
        : []),
      ...(files ? createMediaWrites(services, keeper, entryRef, files) : []),
      ...notices.writes,
    ],
    async view(row) {
      const view = await toMoment(services, row)
      if (row.rev === loadedRevision) return view
      return { ...view, ...(topics && { topics: toTopicRefs(topics) }), ...(files && { media: files.map(toMedia) }) }
    },
  })
  notices.notify()
  return toMoment(services, row)
}

const getMentionedAt = (input: MomentChange, occurredAt: number) =>
  input.occurredAt === undefined ? occurredAt : Date.parse(input.occurredAt)

const createMentionTimeWrite = ({ db }: Services, id: string, mentionedAt: number) =>
  db
    .updateTable('entry_topics')
    .set({ said_at: mentionedAt })
    .where('entity', '=', 'moment')
    .where('entity_id', '=', id)

const toTopicRefs = (topics: LinkedTopic[]) => topics.map(({ id, name, color }) => ({ id, name, color }))

async function loadTopicIds({ db }: Services, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('entry_topics')
    .select('topic_id')
    .where('entity', '=', 'moment')
    .where('entity_id', '=', id)
    .execute()
  return rows.map((row) => row.topic_id)
}

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
