import { clockIn, dayIn, instantIn } from '#contract/keepers/lived-time.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { noticeTopics } from '../echoes/notice.ts'
import { makeEntry } from '../entries/make-entry.ts'
import { requireKeeperToWriteIn } from '../keeper-access.ts'
import { requireMediaToShow, showMedia, tellMediaGone } from '../media/attach-media.ts'
import { topicLinks, topicsMeant } from '../topics/link-topics.ts'
import { momentColumns, type NewMoment, noContent, requireJourneyIn } from './moment-columns.ts'
import { momentView } from './moment-view.ts'

/** @throws Problem 404; 400 for an empty moment or files or a journey of another keeper; 409 for an id in use */
export async function createMoment(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  given: NewMoment,
): Promise<Moment> {
  const keeper = await requireKeeperToWriteIn(services, person, keeperId, given.keeperId)
  const id = given.id ?? services.newId()
  const showing = { entity: 'moment', id } as const
  const files = await requireMediaToShow(services, keeper, given.mediaIds ?? [], showing)
  if (given.body.trim() === '' && files.length === 0) throw noContent()
  await requireJourneyIn(services, keeper, given.journeyId)
  const topics = await topicsMeant(services, keeper, given.topics ?? [])
  const lived = livedAt(given, services.now().getTime())
  const notices = await noticeTopics(services, keeper.id, topics)
  const row = await makeEntry(services, keeper, {
    entity: 'moment',
    id,
    values: {
      title: null,
      mood_score: null,
      mood_label: null,
      place: null,
      weather: null,
      journey_id: null,
      pinned: false,
      ai_visible: true,
      ...momentColumns(given),
      ...lived,
      body: given.body,
      prompt_id: given.promptId || null,
      source_kind: null,
      source_id: null,
    },
    along: () => [
      ...topicLinks(services, keeper, { ...showing, saidAt: lived.occurred_at }, topics),
      ...showMedia(services, keeper, showing, files),
      ...notices.writes,
    ],
  }).catch((error: unknown) => {
    throw tellMediaGone(error)
  })
  notices.tell()
  return momentView(services, row)
}

function livedAt(given: NewMoment, now: number) {
  const timezone = given.timezone ?? 'UTC'
  if (given.occurredAt !== undefined || given.localDate === undefined) {
    const occurred_at = given.occurredAt === undefined ? now : Date.parse(given.occurredAt)
    return { occurred_at, timezone, local_date: given.localDate ?? dayIn(timezone, occurred_at) }
  }
  const today = given.localDate === dayIn(timezone, now)
  const occurred_at = today ? now : instantIn(timezone, given.localDate, clockIn(timezone, now))
  return { occurred_at, timezone, local_date: given.localDate }
}
