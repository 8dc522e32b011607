import type { Reflection } from '#contract/keepers/reflections.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'
import type { EntryRow } from '../entries/entry-tables.ts'

export type ReflectionRow = EntryRow<'reflection'>

/** `memoryCardId`: `null` without a card, or when it is in the trash. */
export function toReflection(row: ReflectionRow, memoryCardId: string | null = null): Reflection {
  return {
    id: row.id,
    keeperId: row.keeper_id,
    agentId: row.agent_id,
    topic: row.topic,
    content: row.content,
    aiVisible: row.ai_visible,
    promotedToMemoryCard: row.promoted_at !== null,
    promotedAt: toIsoTimeOrNull(row.promoted_at),
    memoryCardId,
    restedAt: toIsoTimeOrNull(row.rested_at),
    momentId: row.moment_id,
    createdAt: toIsoTime(row.created_at),
    updatedAt: toIsoTime(row.updated_at),
    rev: row.rev,
  }
}

export async function toReflectionWithCard({ db }: Services, row: ReflectionRow): Promise<Reflection> {
  if (row.promoted_at === null) return toReflection(row)
  const card = await db
    .selectFrom('memory_cards')
    .select('id')
    .where('reflection_id', '=', row.id)
    .where('owner_id', '=', row.owner_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return toReflection(row, card?.id)
}
