import type * as z from 'zod/mini'
import type { moments } from '#contract/keepers/moments.ts'
import { json } from '#server/db/database.ts'
import { badField } from '#server/http/problem.ts'

export type NewMoment = z.output<NonNullable<typeof moments.create.body>>
export type MomentChange = z.output<NonNullable<typeof moments.update.body>>
type MomentFields = Omit<MomentChange, 'occurredAt' | 'localDate' | 'timezone' | 'body' | 'topics' | 'mediaIds'>

export const createNoContentProblem = () => badField('body', 'Write something, or add a picture or a recording.')

export function toMomentColumns(fields: MomentFields) {
  const { title, mood, place, weather, journeyId, pinned, aiVisible } = fields
  return {
    ...(title !== undefined && { title: title || null }),
    ...(mood !== undefined && { mood_score: mood?.score ?? null, mood_label: mood?.label || null }),
    ...(place !== undefined && {
      place: place && json({ name: place.name, lat: place.lat ?? null, lng: place.lng ?? null }),
    }),
    ...(weather !== undefined && { weather: weather && json(weather) }),
    ...(journeyId !== undefined && { journey_id: journeyId || null }),
    ...(pinned !== undefined && { pinned }),
    ...(aiVisible !== undefined && { ai_visible: aiVisible }),
  }
}
