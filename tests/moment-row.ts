import type { Services } from '#server/services.ts'

interface Given {
  id: string
  keeperId: string
  ownerId: string
  body?: string
  title?: string | null
  localDate?: string
  journeyId?: string | null
}

const rowsAtOnce = 500

/** Inserts a moment directly into its table. */
export const addMomentRow = (services: Services, given: Given) => addMomentRows(services, [given])

export async function addMomentRows(services: Services, given: readonly Given[]): Promise<void> {
  for (let at = 0; at < given.length; at += rowsAtOnce)
    await services.db
      .insertInto('moments')
      .values(given.slice(at, at + rowsAtOnce).map((one) => rowOf(services, one)))
      .execute()
}

function rowOf({ now }: Services, given: Given) {
  const localDate = given.localDate ?? '2026-11-01'
  const at = now().getTime()
  return {
    id: given.id,
    keeper_id: given.keeperId,
    owner_id: given.ownerId,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    occurred_at: Date.parse(localDate),
    local_date: localDate,
    timezone: 'UTC',
    title: given.title ?? null,
    body: given.body ?? 'The lamp was lit.',
    mood_score: null,
    mood_label: null,
    place: null,
    weather: null,
    journey_id: given.journeyId ?? null,
    prompt_id: null,
    pinned: false,
    ai_visible: true,
    source_kind: null,
    source_id: null,
  }
}
