import { type TopicalEntity, topicalEntities } from '#contract/keepers/keeper-fields.ts'
import type { Topic } from '#contract/keepers/topics.ts'
import type { Services } from '#server/services.ts'
import { entryTables } from '../entries/entry-tables.ts'
import type { TopicRow } from './require-topic.ts'

interface TopicMentions {
  topic_id: string
  entity: TopicalEntity
  count: number
  first: number
  last: number
}

export async function toTopicView(services: Services, row: TopicRow): Promise<Topic> {
  const [view] = await toTopicViews(services, row.keeper_id, [row])
  if (!view) throw new Error('A topic has no view')
  return view
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
    id: row.id,
    keeperId: row.keeper_id,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
    rev: row.rev,
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
  const total = mentionRows.reduce((sum, { count }) => sum + count, 0)
  const toIsoOrNull = (instant: number) => (total > 0 ? new Date(instant).toISOString() : null)
  return {
    counts,
    total,
    firstSaidAt: toIsoOrNull(Math.min(...mentionRows.map(({ first }) => first))),
    lastSaidAt: toIsoOrNull(Math.max(...mentionRows.map(({ last }) => last))),
  }
}

export async function countMentions(
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
  const table = entryTables[entity] as 'reflections'
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
