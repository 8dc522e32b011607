import type { Services } from '#server/services.ts'

interface MomentRowInput {
  id: string
  keeperId: string
  ownerId: string
  body?: string
  title?: string | null
  localDate?: string
  journeyId?: string | null
}

const batchSize = 500

/** Inserts a moment directly into its table. */
export const insertMomentRow = (services: Services, input: MomentRowInput) => insertMomentRows(services, [input])

export async function insertMomentRows(services: Services, inputs: readonly MomentRowInput[]): Promise<void> {
  for (let index = 0; index < inputs.length; index += batchSize)
    await services.db
      .insertInto('moments')
      .values(inputs.slice(index, index + batchSize).map((input) => toMomentRow(services, input)))
      .execute()
}

function toMomentRow({ now }: Services, input: MomentRowInput) {
  const localDate = input.localDate ?? '2026-11-01'
  const at = now().getTime()
  return {
    id: input.id,
    keeper_id: input.keeperId,
    owner_id: input.ownerId,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    occurred_at: Date.parse(localDate),
    local_date: localDate,
    timezone: 'UTC',
    title: input.title ?? null,
    body: input.body ?? 'The lamp was lit.',
    mood_score: null,
    mood_label: null,
    place: null,
    weather: null,
    journey_id: input.journeyId ?? null,
    prompt_id: null,
    pinned: false,
    ai_visible: true,
    source_kind: null,
    source_id: null,
  }
}
