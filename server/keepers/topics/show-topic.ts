import type { Person } from '#server/accounts/person.ts'
import { parseCursor } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listMentions, listRelatedLinks } from './mentions.ts'
import { requireTopicFor, type TopicRow } from './require-topic.ts'
import { toTopicView } from './topic-view.ts'

const maxTopics = 12

export function findRelatedTopics<T extends { id: string; name: string }>(
  links: readonly { topic_id: string }[],
  topics: readonly T[],
): (T & { count: number })[] {
  const counts = new Map<string, number>()
  for (const { topic_id } of links) counts.set(topic_id, (counts.get(topic_id) ?? 0) + 1)
  return topics
    .flatMap((topic) => {
      const count = counts.get(topic.id)
      return count ? [{ ...topic, count }] : []
    })
    .toSorted((a, b) => b.count - a.count || a.name.localeCompare(b.name, 'en'))
    .slice(0, maxTopics)
}

/** With a page of mentions. @throws Problem 404; 400 for an invalid cursor */
export async function showTopic(services: Services, person: Person, id: string, cursor?: string) {
  const row = await requireTopicFor(services, person, id)
  const cursorPosition = parseCursor(cursor, [0, 0, ''])
  const [view, { mentions, next_cursor }, relatedLinks, otherTopics, merges] = await Promise.all([
    toTopicView(services, row),
    listMentions(services, row, cursorPosition),
    listRelatedLinks(services, row),
    services.db
      .selectFrom('topics')
      .select(['id', 'name', 'color'])
      .where('keeper_id', '=', row.keeper_id)
      .where('deleted_at', 'is', null)
      .where('merged_into', 'is', null)
      .execute(),
    listActiveMerges(services, row),
  ])
  return new Reply(
    { ...view, mentions, together: findRelatedTopics(relatedLinks, otherTopics), merges },
    { extra: { next_cursor } },
  )
}

async function listActiveMerges({ db }: Services, target: TopicRow) {
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
