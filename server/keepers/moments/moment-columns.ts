import type * as z from 'zod/mini'
import type { moments } from '#contract/keepers/moments.ts'
import { json } from '#server/db/database.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findEntryFor } from '../entries/require-entry.ts'
import type { KeeperRow } from '../keeper-access.ts'

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

/** @throws Problem 400 for a deleted journey or one of another keeper */
export async function requireMomentJourney(
  services: Services,
  keeper: Pick<KeeperRow, 'id' | 'owner_id'>,
  journeyId: string | null | undefined,
): Promise<void> {
  if (!journeyId) return
  const journey = await findEntryFor(services, { id: keeper.owner_id }, 'journey', journeyId)
  if (journey?.keeper_id !== keeper.id) throw badField('journeyId', 'Choose a journey in this keeper.')
}
