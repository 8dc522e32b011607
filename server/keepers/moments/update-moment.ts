import type { Moment } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { buildTopicEffects } from '../echoes/check-entry-triggers.ts'
import { requireEntryInKeeper } from '../entries/require-entry.ts'
import { noSideEffects, saveEntry } from '../entries/save-entry.ts'
import { toKeeperRef } from '../keeper-access.ts'
import { createMediaWrites, requireAttachableMedia } from '../media/attach-media.ts'
import { type MediaRow, toMedia } from '../media/media-view.ts'
import { filterNewTopics, type LinkedTopic, resolveTopics } from '../topics/link-topics.ts'
import { createNoContentProblem, type MomentChange, toMomentColumns } from './moment-columns.ts'
import { toMoment } from './moment-view.ts'

/** Absent members stay, including the local day after a change of hour. @throws Problem 404; `stale`; 400 */
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
    async changes(current) {
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
    async view(current) {
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
