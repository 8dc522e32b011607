import { sql } from 'kysely'
import type { Topic } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import { takePage } from '#server/http/page-bytes.ts'
import { defaultPageSize, formatPosition, parseCursor } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { countMentions, toTopicViews } from './topic-view.ts'

interface RankedTopic {
  id: string
  name: string
  pinned: boolean
  total: number
}

const topicBytes = sql<number>`octet_length(topics.name) + octet_length(topics.note)
  + coalesce((select sum(octet_length(alias)) from topic_aliases where topic_id = topics.id), 0)`

/** Pinned first, then by mentions. @throws Problem 404; 400 for an invalid cursor */
export async function listTopics(
  services: Services,
  person: Person,
  keeperId: string,
  cursor?: string,
): Promise<Reply<Topic[]>> {
  const keeper = await requireKeeperFor(services, person, keeperId)
  const cursorPosition = parseCursor(cursor, [true, 0, ''])
  const topicsQuery = services.db
    .selectFrom('topics')
    .where('keeper_id', '=', keeper.id)
    .where('owner_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .where('merged_into', 'is', null)
  const [sizedRows, mentions] = await Promise.all([
    services.db.longRead(topicsQuery.select(['id', 'name', 'pinned', topicBytes.as('size')])),
    countMentions(services, keeper.id),
  ])
  const rankedTopics = sizedRows
    .map((row) => ({ ...row, total: (mentions.get(row.id) ?? []).reduce((total, { count }) => total + count, 0) }))
    .toSorted(compareTopics)
  const previousTopic = cursorPosition && toRankedTopic(cursorPosition, rankedTopics)
  const startIndex = previousTopic ? rankedTopics.findIndex((row) => compareTopics(row, previousTopic) > 0) : 0
  const remainingTopics = startIndex === -1 ? [] : rankedTopics.slice(startIndex)
  const page = takePage(remainingTopics, defaultPageSize)
  const rows =
    page.length === 0
      ? []
      : await topicsQuery
          .selectAll()
          .where(
            'id',
            'in',
            page.map(({ id }) => id),
          )
          .execute()
  const topics = new Map((await toTopicViews(services, keeper.id, rows, mentions)).map((topic) => [topic.id, topic]))
  const last = remainingTopics.length > page.length ? page.at(-1) : undefined
  return new Reply(
    page.flatMap(({ id }) => topics.get(id) ?? []),
    { extra: { next_cursor: last ? formatPosition([last.pinned, last.total, last.id]) : null } },
  )
}

/** The cursor has no name, because names are too long. If its topic was deleted, topics with the same count repeat. */
function toRankedTopic([pinned, total, id]: readonly [boolean, number, string], rankedTopics: readonly RankedTopic[]) {
  return { pinned, total, id, name: rankedTopics.find((row) => row.id === id)?.name ?? '' }
}

const collator = new Intl.Collator('en')
const compareTopics = (a: RankedTopic, b: RankedTopic) =>
  Number(b.pinned) - Number(a.pinned) ||
  b.total - a.total ||
  collator.compare(a.name, b.name) ||
  (a.id < b.id ? -1 : Number(a.id > b.id))
