import type { Entity } from '#contract/keepers/keeper-fields.ts'
import type { MemoryReading, PromptItem } from '#server/agents/keeper-memory.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { toDocumentId } from './quotable-documents.ts'

const entityByItem: Record<string, Entity> = {
  sole: 'keeper',
  belief: 'voice',
  card: 'card',
  reflection: 'reflection',
  moment: 'moment',
  document: 'source',
}

export function createReadWrites(services: Services, reading: MemoryReading, items: readonly PromptItem[]): Write[] {
  const now = services.now().getTime()
  const recorded = new Set<string>()
  return items.flatMap((item) => {
    const entity = entityByItem[item.entity]
    if (!entity) return []
    const entityId = entity === 'keeper' ? item.keeperId : entity === 'source' ? toDocumentId(item) : item.id
    // Several excerpts of a document are one read.
    if (entity === 'source' && recorded.has(entityId)) return []
    recorded.add(entityId)
    return (
      services.db
        .insertInto('memory_reads')
        .values({
          id: services.newId(),
          keeper_id: item.keeperId,
          owner_id: reading.person.id,
          entity,
          entity_id: entityId,
          run_id: reading.runId,
          agent_id: reading.agent.id,
          agent_name: reading.agent.name,
          purpose: reading.purpose,
          read_at: now,
        })
        // A retry after a lost response finds the row.
        .onConflict((conflict) => conflict.column('id').doNothing())
    )
  })
}
