import type { Person } from '#server/accounts/person.ts'
import { placeIn } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { linksBeside, mentionsOf } from './mentions.ts'
import { requireTopicFor, type TopicRow } from './require-topic.ts'
import { comingAlong } from './together.ts'
import { topicView } from './topic-view.ts'

/** With a page of mentions. @throws Problem 404; 400 for an invalid cursor */
export async function showTopic(services: Services, person: Person, id: string, cursor?: string) {
  const row = await requireTopicFor(services, person, id)
  const after = placeIn(cursor, [0, 0, ''])
  const [view, { mentions, next_cursor }, beside, others, merges] = await Promise.all([
    topicView(services, row),
    mentionsOf(services, row, after),
    linksBeside(services, row),
    services.db
      .selectFrom('topics')
      .select(['id', 'name', 'color'])
      .where('keeper_id', '=', row.keeper_id)
      .where('deleted_at', 'is', null)
      .where('merged_into', 'is', null)
      .execute(),
    standingMerges(services, row),
  ])
  return new Reply({ ...view, mentions, together: comingAlong(beside, others), merges }, { extra: { next_cursor } })
}

async function standingMerges({ db }: Services, target: TopicRow) {
  const rows = await db
    .selectFrom('topic_merges')
    .innerJoin('topics', 'topics.id', 'topic_merges.topic_id')
    .select(['topic_merges.id', 'topics.name', 'topic_merges.merged_at'])
    .where('topic_merges.target_id', '=', target.id)
    .where('topic_merges.undone_at', 'is', null)
    .orderBy('topic_merges.merged_at', 'desc')
    .execute()
  return rows.map(({ id, name, merged_at }) => ({ id, name, mergedAt: new Date(merged_at).toISOString() }))
}
