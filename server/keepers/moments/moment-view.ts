import type { Selectable } from 'kysely'
import type { Moment } from '#contract/keepers/moments.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { parseJsonColumn } from '../entries/json-column.ts'
import { toMedia } from '../media/media-view.ts'

export type MomentRow = Selectable<Schema['moments']>

export async function toMoments({ db }: Services, rows: MomentRow[]): Promise<Moment[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [topicRows, files] = await Promise.all([
    db
      .selectFrom('entry_topics')
      .innerJoin('topics', 'topics.id', 'entry_topics.topic_id')
      .select(['entry_topics.entity_id', 'topics.id', 'topics.name', 'topics.color'])
      .where('entry_topics.entity', '=', 'moment')
      .where('entry_topics.entity_id', 'in', ids)
      .where('topics.deleted_at', 'is', null)
      .orderBy('topics.name_folded')
      .execute(),
    db
      .selectFrom('media')
      .selectAll()
      .where('entity', '=', 'moment')
      .where('entity_id', 'in', ids)
      .orderBy('position')
      .execute(),
  ])
  const topics = Map.groupBy(topicRows, (topic) => topic.entity_id)
  const media = Map.groupBy(files, (file) => file.entity_id)
  return rows.map((row) => ({
    ...toMomentFields(row),
    topics: (topics.get(row.id) ?? []).map(({ id, name, color }) => ({ id, name, color })),
    media: (media.get(row.id) ?? []).map(toMedia),
  }))
}

export async function toMoment(services: Services, row: MomentRow): Promise<Moment> {
  const [view] = await toMoments(services, [row])
  return view as Moment
}

function toMomentFields(row: MomentRow): Omit<Moment, 'topics' | 'media'> {
  const place = row.place && parseJsonColumn(row.place)
  return {
    id: row.id,
    keeperId: row.keeper_id,
    createdAt: toIsoTime(row.created_at),
    updatedAt: toIsoTime(row.updated_at),
    rev: row.rev,
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
  }
}
