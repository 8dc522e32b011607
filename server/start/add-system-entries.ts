import { addBuiltInAgents } from '../agents/built-in-agents.ts'
import { insertSystemClasses } from '../agents/classes/class-catalog.ts'
import { insertSystemPatterns } from '../keepers/patterns/pattern-catalog.ts'
import { insertSystemTemplates } from '../keepers/templates/system-templates.ts'
import { insertSystemKeeperTypes } from '../keepers/types/type-catalog.ts'
import type { Services } from '../services.ts'

export async function addSystemEntries(services: Services): Promise<void> {
  await addBuiltInAgents(services)
  await services.db.batch([
    ...insertSystemKeeperTypes(services),
    ...insertSystemTemplates(services),
    ...insertSystemPatterns(services),
    ...insertSystemClasses(services),
  ])
}
