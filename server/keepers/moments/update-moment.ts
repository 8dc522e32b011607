import type { Moment } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { noticeTopics } from '../echoes/notice.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { saveEntry } from '../entries/save-entry.ts'
import { requireMediaToShow, showMedia } from '../media/attach-media.ts'
import { type MediaRow, mediaView } from '../media/media-view.ts'
import { type LinkedTopic, topicLinks, topicsMeant } from '../topics/link-topics.ts'
import { type MomentChange, momentColumns, noContent, requireJourneyIn } from './moment-columns.ts'
import { momentView } from './moment-view.ts'

/** Absent members stay, including the local day after a change of hour or time zone. @throws Problem 404; `stale`;
 * 400 */
export async function updateMoment(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  given: MomentChange,
  ifMatch: number | null,
): Promise<Moment> {
  const before = await requireEntryFor(services, person, 'moment', id)
  const keeper = { id: before.keeper_id, owner_id: before.owner_id }
  const showing = { entity: 'moment', id } as const
  await requireJourneyIn(services, keeper, given.journeyId === before.journey_id ? null : given.journeyId)
  const topics = given.topics && (await topicsMeant(services, keeper, given.topics))
  const saidBefore = topics ? await topicIdsOf(services, id) : []
  const saidNow = topics?.filter((topic) => !saidBefore.includes(topic.id)) ?? []
  const notices = await noticeTopics(services, keeper.id, saidNow)
  let files: MediaRow[] | undefined
  let present = before.rev
  const row = await saveEntry(services, person, {
    entity: 'moment',
    id,
    ifMatch,
    async changes(row) {
      present = row.rev
      files = given.mediaIds && (await requireMediaToShow(services, keeper, given.mediaIds, showing))
      const hasFiles = files ? files.length > 0 : await showsFiles(services, id)
      if ((given.body ?? row.body).trim() === '' && !hasFiles) throw noContent()
      return {
        ...momentColumns(given),
        ...(given.body !== undefined && { body: given.body }),
        ...(given.occurredAt !== undefined && { occurred_at: Date.parse(given.occurredAt) }),
        ...(given.localDate !== undefined && { local_date: given.localDate }),
        ...(given.timezone !== undefined && { timezone: given.timezone }),
      }
    },
    along: (row) => [
      ...(topics ? topicLinks(services, keeper, { ...showing, saidAt: saidAt(given, row.occurred_at) }, topics) : []),
      ...(!topics && given.occurredAt !== undefined ? [saidAnew(services, id, Date.parse(given.occurredAt))] : []),
      ...(files ? showMedia(services, keeper, showing, files) : []),
      ...notices.writes,
    ],
    async view(row) {
      const view = await momentView(services, row)
      if (row.rev === present) return view
      return { ...view, ...(topics && { topics: topicsOf(topics) }), ...(files && { media: files.map(mediaView) }) }
    },
  })
  notices.tell()
  return momentView(services, row)
}

const saidAt = (given: MomentChange, before: number) =>
  given.occurredAt === undefined ? before : Date.parse(given.occurredAt)

const saidAnew = ({ db }: Services, id: string, at: number) =>
  db.updateTable('entry_topics').set({ said_at: at }).where('entity', '=', 'moment').where('entity_id', '=', id)

const topicsOf = (topics: LinkedTopic[]) => topics.map(({ id, name, color }) => ({ id, name, color }))

async function topicIdsOf({ db }: Services, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('entry_topics')
    .select('topic_id')
    .where('entity', '=', 'moment')
    .where('entity_id', '=', id)
    .execute()
  return rows.map((row) => row.topic_id)
}

async function showsFiles({ db }: Services, id: string): Promise<boolean> {
  const file = await db
    .selectFrom('media')
    .select('id')
    .where('entity', '=', 'moment')
    .where('entity_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  return file !== undefined
}
