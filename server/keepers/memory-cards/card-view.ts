import type { Selectable } from 'kysely'
import { builtInModel, type MemoryCard } from '#contract/keepers/memory-cards.ts'
import type { Schema } from '#server/db/schema.ts'

export type CardRow = Omit<Selectable<Schema['memory_cards']>, 'words' | 'source_kind' | 'source_id' | 'deleted_at'>

export const cardColumns = [
  'memory_cards.id',
  'memory_cards.keeper_id',
  'memory_cards.owner_id',
  'memory_cards.created_at',
  'memory_cards.updated_at',
  'memory_cards.rev',
  'memory_cards.reflection_id',
  'memory_cards.reflection_agent_id',
  'memory_cards.reflection_created_at',
  'memory_cards.content',
  'memory_cards.topic',
  'memory_cards.ai_visible',
  'memory_cards.state',
  'memory_cards.embedded_with',
  'memory_cards.embedded_at',
] as const

export function toCardView(row: CardRow, model: string): MemoryCard {
  const { reflection_id: reflectionId } = row
  return {
    id: row.id,
    keeperId: row.keeper_id,
    reflectionId,
    content: row.content,
    topic: row.topic,
    aiVisible: row.ai_visible,
    state: row.state,
    embedded: isEmbedded(row, model),
    embedding: row.embedded_with,
    createdAt: toIsoTime(row.created_at),
    updatedAt: toIsoTime(row.updated_at),
    rev: row.rev,
    reflection: reflectionId
      ? {
          id: reflectionId,
          agentId: row.reflection_agent_id ?? '',
          createdAt: toIsoTime(row.reflection_created_at ?? row.created_at),
        }
      : null,
  }
}

/** Cards that no provider may receive only need the built-in vector. */
function isEmbedded(row: CardRow, model: string): boolean {
  const isPrivate = !row.ai_visible || row.state === 'draft'
  return row.embedded_with === model || (isPrivate && row.embedded_with === builtInModel)
}

function toIsoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
