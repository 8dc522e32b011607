import { sql } from 'kysely'
import { type TopicalEntity, topicalEntities } from '#contract/keepers/keeper-fields.ts'
import type { Mention } from '#contract/keepers/topics.ts'
import { formatPosition, type MixedPosition, whereLater } from '#server/http/pages.ts'
import type { Services } from '#server/services.ts'
import { entryTables } from '../entries/entry-tables.ts'
import { createExcerpt, createPlainExcerpt, excerptSourceLength } from '../excerpt.ts'
import type { TopicRow } from './require-topic.ts'

const pageSize = 1000

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
  after: MixedPosition | undefined,
): Promise<{ mentions: Mention[]; next_cursor: string | null }> {
  const rowsByKind = await Promise.all(
    topicalEntities.map((entity) => listMentionsOfKind(services, topic, entity, after)),
  )
  const allMentions = rowsByKind.flat().toSorted((a, b) => b.said_at - a.said_at)
  const page = allMentions.slice(0, pageSize)
  const last = allMentions.length > pageSize ? page.at(-1) : undefined
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
  after: MixedPosition | undefined,
) {
  const table = entryTables[entity] as 'reflections'
  const { title, text } = mentionColumns[entity]
  const position = {
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
      .$if(after !== undefined, (query) => query.where(whereLater(position, after as MixedPosition)))
      .orderBy('entry_topics.said_at', 'desc')
      .orderBy('entry_topics.entity_id')
      .limit(pageSize + 1),
  )
  return rows.map((row) => ({ ...row, entity }))
}

export async function listRelatedLinks(services: Services, topic: TopicRow): Promise<{ topic_id: string }[]> {
  const { db } = services
  const rowsByKind = await Promise.all(
    topicalEntities.map((entity) => {
      const table = entryTables[entity] as 'reflections'
      return db.longRead(
        db
          .selectFrom('entry_topics as mine')
          .innerJoin('entry_topics as other', (join) =>
            join.onRef('other.entity', '=', 'mine.entity').onRef('other.entity_id', '=', 'mine.entity_id'),
          )
          .innerJoin(table, `${table}.id`, 'mine.entity_id')
          .select('other.topic_id')
          .where('mine.topic_id', '=', topic.id)
          .where('mine.entity', '=', entity)
          .where('other.topic_id', '!=', topic.id)
          .where(`${table}.deleted_at`, 'is', null),
      )
    }),
  )
  return rowsByKind.flat()
}
