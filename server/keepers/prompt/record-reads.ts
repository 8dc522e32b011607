import type { Entity } from '#contract/keepers/keeper-fields.ts'
import type { MemoryReading, PromptItem } from '#server/agents/keeper-memory.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'

const entityByItem: Record<string, Entity> = {
  sole: 'keeper',
  belief: 'voice',
  card: 'card',
  reflection: 'reflection',
  moment: 'moment',
}

export function createReadWrites(services: Services, reading: MemoryReading, items: readonly PromptItem[]): Write[] {
  const now = services.now().getTime()
  return items.flatMap((item) => {
    const entity = entityByItem[item.entity]
    if (!entity) return []
    return (
      services.db
        .insertInto('memory_reads')
        .values({
          id: services.newId(),
          keeper_id: item.keeperId,
          owner_id: reading.person.id,
          entity,
          entity_id: entity === 'keeper' ? item.keeperId : item.id,
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
