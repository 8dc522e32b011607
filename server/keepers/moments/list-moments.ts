import { type SelectQueryBuilder, sql } from 'kysely'
import type * as z from 'zod/mini'
import type { Moment, moments } from '#contract/keepers/moments.ts'
import { foldedTopic } from '#contract/keepers/topics.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Schema } from '#server/db/schema.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { type MomentRow, momentViews } from './moment-view.ts'

type Filter = z.output<NonNullable<typeof moments.list.query>>
type Selecting = SelectQueryBuilder<Schema, 'moments', MomentRow>
const pageSize = 50

/**
 * Newest first by when they were lived. A page goes on from the last moment of the one before, so that what is written
 * meanwhile neither repeats nor hides anything, and the millionth page costs what the first does.
 * @throws Problem 404 for a keeper that is not theirs, 400 for a cursor that is none
 */
export async function listMoments(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  filter: Filter,
): Promise<{ items: Moment[]; next_cursor: string | null }> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const limit = filter.limit ?? pageSize
  let query: Selecting = db
    .selectFrom('moments')
    .selectAll()
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (filter.cursor !== undefined) query = after(query, filter.cursor)
  query = await filtered(services, keeper.id, query, filter)
  // Words are looked for in every moment there is, when few have them.
  const rows = filter.q ? await db.longRead<MomentRow>(query) : await query.execute()
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { items: await momentViews(services, shown), next_cursor: last ? `${last.occurred_at}.${last.id}` : null }
}

function after(query: Selecting, cursor: string): Selecting {
  const [, at, id] = /^(-?\d{1,15})\.([^.]{1,64})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) throw badField('cursor', 'Use the next_cursor of the page before.')
  return query.where(sql<boolean>`(occurred_at, id) < (${Number(at)}, ${id})`)
}

async function filtered(services: Services, keeperId: string, given: Selecting, filter: Filter): Promise<Selecting> {
  let query = given
  if (filter.from !== undefined && filter.from === filter.to) query = query.where('local_date', '=', filter.from)
  else {
    if (filter.from !== undefined) query = query.where('local_date', '>=', filter.from)
    if (filter.to !== undefined) query = query.where('local_date', '<=', filter.to)
  }
  if (filter.journeyId !== undefined) query = query.where('journey_id', '=', filter.journeyId)
  if (filter.mood !== undefined) query = query.where('mood_score', '=', filter.mood)
  if (filter.withMedia)
    query = query.where('id', 'in', (select) =>
      select
        .selectFrom('media')
        .select(sql<string>`entity_id`.as('id'))
        .where('keeper_id', '=', keeperId)
        .where('entity', '=', 'moment'),
    )
  if (filter.topic !== undefined) {
    const topicIds = await topicsMeant(services, keeperId, filter.topic)
    query = query.where('id', 'in', (select) =>
      select
        .selectFrom('entry_topics')
        .select('entity_id')
        .where('topic_id', 'in', topicIds.length > 0 ? topicIds : [''])
        .where('entity', '=', 'moment'),
    )
  }
  for (const word of (filter.q ?? '').split(/\s+/).filter(Boolean)) query = saying(services, query, word)
  return query
}

/** A topic by its id, its name or another name of it. */
async function topicsMeant({ db }: Services, keeperId: string, said: string): Promise<string[]> {
  const rows = await db
    .selectFrom('topics')
    .leftJoin('topic_aliases', 'topic_aliases.topic_id', 'topics.id')
    .select('topics.id')
    .distinct()
    .where('topics.keeper_id', '=', keeperId)
    .where('topics.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('topics.id', '=', said),
        where('topics.name_folded', '=', foldedTopic(said)),
        where('topic_aliases.alias_folded', '=', foldedTopic(said)),
      ]),
    )
    .execute()
  return rows.map(({ id }) => id)
}

function saying({ db }: Services, query: Selecting, word: string): Selecting {
  const operator = sql.raw(db.engine === 'postgres' ? 'ilike' : 'like')
  // SQLite knows the case of ASCII letters alone.
  const first = [...word][0] ?? ''
  const spelled = [word, word.toLowerCase(), word.toUpperCase(), first.toUpperCase() + word.slice(first.length)]
  const patterns = [...new Set(spelled)].map((each) => `%${each.replace(/[\\%_]/g, '\\$&')}%`)
  const places = ['title', 'body', 'mood_label'].map((column) => sql.ref(column))
  const place = db.engine === 'postgres' ? sql`place ->> 'name'` : sql`json_extract(place, '$.name')`
  return query.where((where) =>
    where.or(
      patterns.flatMap((pattern) =>
        [...places, place].map((column) => sql<boolean>`${column} ${operator} ${pattern} escape '\\'`),
      ),
    ),
  )
}
