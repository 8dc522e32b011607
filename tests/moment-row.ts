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

/** A moment straight into its table, for what only reads it. */
export async function addMomentRow({ db, now }: Services, given: Given): Promise<void> {
  const localDate = given.localDate ?? '2026-11-01'
  const at = now().getTime()
  await db
    .insertInto('moments')
    .values({
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
    })
    .execute()
}
