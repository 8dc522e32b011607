import { sql } from 'kysely'
import { compareStrings } from '#contract/compare-strings.ts'
import { type TopicalEntity, topicalEntities } from '#contract/keepers/keeper-fields.ts'
import type { Mention, Topic } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import {
  defaultPageSize,
  formatPosition,
  type PositionAcrossKinds,
  parseCursor,
  takeFittingRows,
  whereAfterAcrossKinds,
} from '#server/http/pages.ts'
import { Problem } from '#server/http/problem.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { type EntryRow, getEntryTable, toRecordFields } from '../entries/entry-tables.ts'
import { requireEntryFor } from '../entries/require-entry.ts'
import { createExcerpt, createPlainExcerpt, excerptSourceLength } from '../excerpt.ts'
import { isActiveIn, isOwnedIn, requireKeeperFor } from '../keeper-access.ts'

interface TopicMentions {
  topic_id: string
  entity: TopicalEntity
  count: number
  first: number
  last: number
}

export async function toTopicView(services: Services, row: TopicRow): Promise<Topic> {
  return (await toTopicViews(services, row.keeper_id, [row]))[0] as Topic
}

export async function toTopicViews(
  services: Services,
  keeperId: string,
  rows: readonly TopicRow[],
  mentions?: Map<string, TopicMentions[]>,
): Promise<Topic[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [aliases, mentionsByTopic] = await Promise.all([
    loadAliasRows(services, keeperId, ids),
    mentions ?? countMentions(services, keeperId, ids.length === 1 ? ids[0] : undefined),
  ])
  const aliasesByTopic = Map.groupBy(aliases, ({ topic_id }) => topic_id)
  return rows.map((row) => ({
    ...toTopicFields(
      row,
      (aliasesByTopic.get(row.id) ?? []).map(({ alias }) => alias),
    ),
    ...toCounts(mentionsByTopic.get(row.id) ?? []),
  }))
}

export function toTopicFields(row: TopicRow, aliases: string[]) {
  return {
    ...toRecordFields(row),
    name: row.name,
    aliases: aliases.toSorted((a, b) => a.localeCompare(b, 'en')),
    color: row.color,
    note: row.note,
    pinned: row.pinned,
  }
}

function toCounts(mentionRows: TopicMentions[]): Pick<Topic, 'counts' | 'total' | 'firstSaidAt' | 'lastSaidAt'> {
  const counts = Object.fromEntries(topicalEntities.map((entity) => [entity, 0])) as Topic['counts']
  for (const { entity, count } of mentionRows) counts[entity] = count
  const total = mentionRows.reduce((previousTotal, { count }) => previousTotal + count, 0)
  const toIsoOrNull = (instant: number) => (total > 0 ? new Date(instant).toISOString() : null)
  return {
    counts,
    total,
    firstSaidAt: toIsoOrNull(Math.min(...mentionRows.map(({ first }) => first))),
    lastSaidAt: toIsoOrNull(Math.max(...mentionRows.map(({ last }) => last))),
  }
}

async function countMentions(
  services: Services,
  keeperId: string,
  topicId?: string,
): Promise<Map<string, TopicMentions[]>> {
  const mentionRows = await Promise.all(
    topicalEntities.map((entity) => countMentionsOfKind(services, keeperId, entity, topicId)),
  )
  return Map.groupBy(mentionRows.flat(), ({ topic_id }) => topic_id)
}

function loadAliasRows({ db }: Services, keeperId: string, topicIds: readonly string[]) {
  return db
    .selectFrom('topic_aliases')
    .select(['topic_id', 'alias'])
    .where('keeper_id', '=', keeperId)
    .where('topic_id', 'in', topicIds)
    .execute()
}

async function countMentionsOfKind(
  { db }: Services,
  keeperId: string,
  entity: TopicalEntity,
  topicId: string | undefined,
): Promise<TopicMentions[]> {
  const table = getEntryTable(entity)
  const rows = await db.longRead(
    db
      .selectFrom('entry_topics')
      .innerJoin(table, `${table}.id`, 'entry_topics.entity_id')
      .select(({ fn }) => [
        'entry_topics.topic_id',
        fn.countAll<number>().as('count'),
        fn.min('entry_topics.said_at').as('first'),
        fn.max('entry_topics.said_at').as('last'),
      ])
      .where('entry_topics.keeper_id', '=', keeperId)
      .where('entry_topics.entity', '=', entity)
      .where(`${table}.deleted_at`, 'is', null)
      .$if(topicId !== undefined, (query) => query.where('entry_topics.topic_id', '=', topicId ?? ''))
      .groupBy('entry_topics.topic_id'),
  )
  return rows.map((row) => ({ ...row, entity }))
}

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
  const cursorPosition = parseCursor(cursor, ['boolean', 'number', 'string'])
  const topicsQuery = services.db.selectFrom('topics').where(isOwnedIn(keeper)).where('merged_into', 'is', null)
  // `takeFittingRows` limits a page by the sizes of its rows.
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
  const page = takeFittingRows(remainingTopics, defaultPageSize)
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

/** Names are too long for a cursor. If its topic has been deleted since, topics with the same count are listed again. */
function toRankedTopic([pinned, total, id]: readonly [boolean, number, string], rankedTopics: readonly RankedTopic[]) {
  return { pinned, total, id, name: rankedTopics.find((row) => row.id === id)?.name ?? '' }
}

const collator = new Intl.Collator('en')
const compareTopics = (a: RankedTopic, b: RankedTopic) =>
  Number(b.pinned) - Number(a.pinned) ||
  b.total - a.total ||
  collator.compare(a.name, b.name) ||
  compareStrings(a.id, b.id)

const maxRelatedTopics = 12

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
    .slice(0, maxRelatedTopics)
}

/** With a page of mentions. @throws Problem 404; 400 for an invalid cursor */
export async function showTopic(services: Services, person: Person, id: string, cursor?: string) {
  const row = await requireTopicFor(services, person, id)
  const cursorPosition = parseCursor(cursor, ['number', 'number', 'string'])
  const [view, { mentions, next_cursor }, relatedLinks, otherTopics, merges] = await Promise.all([
    toTopicView(services, row),
    listMentions(services, row, cursorPosition),
    listRelatedLinks(services, row),
    services.db
      .selectFrom('topics')
      .select(['id', 'name', 'color'])
      .where(isActiveIn(row.keeper_id))
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

const mentionPageSize = 1000

const mentionColumns = {
  moment: { title: sql.ref<string | null>('moments.title'), text: sql.ref('moments.body'), cut: createPlainExcerpt },
  reflection: { title: sql<string | null>`null`, text: sql.ref('reflections.content'), cut: createPlainExcerpt },
  card: { title: sql<string | null>`null`, text: sql.ref('memory_cards.content'), cut: createPlainExcerpt },
  voice: {
    title: sql.ref<string | null>('voice_entries.label'),
    text: sql.ref('voice_entries.belief'),
    cut: createExcerpt,
  },
  logbook: {
    title: sql.ref<string | null>('logbook_entries.label'),
    text: sql.ref('logbook_entries.entry'),
    cut: createExcerpt,
  },
} satisfies Record<TopicalEntity, unknown>

export async function listMentions(
  services: Services,
  topic: TopicRow,
  after: PositionAcrossKinds | undefined,
): Promise<{ mentions: Mention[]; next_cursor: string | null }> {
  const rowsByKind = await Promise.all(
    topicalEntities.map((entity) => listMentionsOfKind(services, topic, entity, after)),
  )
  const allMentions = rowsByKind.flat().toSorted((a, b) => b.said_at - a.said_at)
  const page = allMentions.slice(0, mentionPageSize)
  const last = allMentions.length > mentionPageSize ? page.at(-1) : undefined
  return {
    mentions: page.map(({ entity, id, title, text, said_at }) => ({
      entity,
      id,
      title: title || null,
      excerpt: mentionColumns[entity].cut(text),
      at: new Date(said_at).toISOString(),
    })),
    next_cursor: last ? formatPosition([last.said_at, topicalEntities.indexOf(last.entity), last.id]) : null,
  }
}

async function listMentionsOfKind(
  { db }: Services,
  topic: TopicRow,
  entity: TopicalEntity,
  after: PositionAcrossKinds | undefined,
) {
  const table = getEntryTable(entity)
  const { title, text } = mentionColumns[entity]
  const columns = {
    at: sql.ref('entry_topics.said_at'),
    id: sql.ref('entry_topics.entity_id'),
    kind: topicalEntities.indexOf(entity),
  }
  const rows = await db.longRead(
    db
      .selectFrom('entry_topics')
      .innerJoin(table, `${table}.id`, 'entry_topics.entity_id')
      .select([
        `${table}.id`,
        'entry_topics.said_at',
        title.as('title'),
        sql<string>`substr(${text}, 1, ${sql.lit(excerptSourceLength)})`.as('text'),
      ])
      .where('entry_topics.topic_id', '=', topic.id)
      .where('entry_topics.entity', '=', entity)
      .where(`${table}.owner_id`, '=', topic.owner_id)
      .where(`${table}.deleted_at`, 'is', null)
      .$if(after !== undefined, (query) => query.where(whereAfterAcrossKinds(columns, after as PositionAcrossKinds)))
      .orderBy('entry_topics.said_at', 'desc')
      .orderBy('entry_topics.entity_id')
      .limit(mentionPageSize + 1),
  )
  return rows.map((row) => ({ ...row, entity }))
}

async function listRelatedLinks(services: Services, topic: TopicRow): Promise<{ topic_id: string }[]> {
  const { db } = services
  const rowsByKind = await Promise.all(
    topicalEntities.map((entity) => {
      const table = getEntryTable(entity)
      return db.longRead(
        db
          .selectFrom('entry_topics as current')
          .innerJoin('entry_topics as other', (join) =>
            join.onRef('other.entity', '=', 'current.entity').onRef('other.entity_id', '=', 'current.entity_id'),
          )
          .innerJoin(table, `${table}.id`, 'current.entity_id')
          .select('other.topic_id')
          .where('current.topic_id', '=', topic.id)
          .where('current.entity', '=', entity)
          .where('other.topic_id', '!=', topic.id)
          .where(`${table}.deleted_at`, 'is', null),
      )
    }),
  )
  return rowsByKind.flat()
}

/** An undeleted, unmerged topic of this person. @throws Problem 404 */
export async function requireTopicFor(services: Services, person: Pick<Person, 'id'>, id: string): Promise<TopicRow> {
  return requireUnmerged(await requireEntryFor(services, person, 'topic', id))
}

export type TopicRow = EntryRow<'topic'>

/** @throws Problem 404 for a merged topic */
export function requireUnmerged(row: TopicRow): TopicRow {
  if (row.merged_into !== null) throw new Problem('not-found', { message: 'Topic not found' })
  return row
}
