import type { Selectable } from 'kysely'
import type { Moment } from '#contract/keepers/moments.ts'
import { prepareQuery } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { parseJsonColumn, toRecordFields } from '../entries/entry-tables.ts'
import { type MediaRow, toMedia } from '../media/media-view.ts'

export type MomentRow = Selectable<Schema['moments']>
/** The columns that responses are built from. */
export type ListedMoment = Pick<MomentRow, (typeof momentColumns)[number]>
export const momentColumns = [
  'id',
  'keeper_id',
  'created_at',
  'updated_at',
  'rev',
  'occurred_at',
  'local_date',
  'timezone',
  'title',
  'body',
  'mood_score',
  'mood_label',
  'place',
  'weather',
  'journey_id',
  'pinned',
  'ai_visible',
  'prompt_id',
] as const satisfies (keyof MomentRow)[]

type TopicRef = Moment['topics'][number]

export async function toMoments({ db }: Services, rows: ListedMoment[]): Promise<Moment[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [topicRows, mediaRows] = await Promise.all([topicsQuery.all(db, { ids }), mediaQuery.all(db, { ids })])
  const topics = Map.groupBy(topicRows, (topic) => topic.entity_id)
  const media = Map.groupBy(mediaRows, (file) => file.entity_id)
  return rows.map((row) => toMomentView(row, topics.get(row.id) ?? [], media.get(row.id) ?? []))
}

const topicsQuery = prepareQuery<{ ids: string[] }>()((db, { ids }) =>
  db
    .selectFrom('entry_topics')
    .innerJoin('topics', 'topics.id', 'entry_topics.topic_id')
    .select(['entry_topics.entity_id', 'topics.id', 'topics.name', 'topics.color'])
    .where('entry_topics.entity', '=', 'moment')
    .where('entry_topics.entity_id', 'in', ids)
    .where('topics.deleted_at', 'is', null)
    .orderBy('topics.name_folded'),
)

const mediaQuery = prepareQuery<{ ids: string[] }>()((db, { ids }) =>
  db.selectFrom('media').selectAll().where('entity', '=', 'moment').where('entity_id', 'in', ids).orderBy('position'),
)

export async function toMoment(services: Services, row: ListedMoment): Promise<Moment> {
  return (await toMoments(services, [row]))[0] as Moment
}

export function toMomentView(row: ListedMoment, topics: TopicRef[], media: MediaRow[]): Moment {
  const place = row.place && parseJsonColumn(row.place)
  return {
    ...toRecordFields(row),
    occurredAt: toIsoTime(row.occurred_at),
    localDate: row.local_date,
    timezone: row.timezone,
    title: row.title,
    body: row.body,
    mood: row.mood_score === null ? null : { score: row.mood_score, label: row.mood_label },
    place: place && { name: place.name, lat: place.lat ?? null, lng: place.lng ?? null },
    weather: row.weather && parseJsonColumn(row.weather),
    journeyId: row.journey_id,
    pinned: row.pinned,
    aiVisible: row.ai_visible,
    promptId: row.prompt_id,
    topics: topics.map(({ id, name, color }) => ({ id, name, color })),
    media: media.map(toMedia),
  }
}
