import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { handingOnKeeperTypes, neededTypes, templatesOfTypes } from './hand-on-keeper-types.ts'
import { handingOnPatterns } from './hand-on-patterns.ts'
import { handingOnTemplates } from './hand-on-templates.ts'

/** Writes before a person's deletion that give everyone else anonymous copies of what their keepers need. */
export async function handingOn(services: Services, personId: string): Promise<Write[]> {
  const types = await neededTypes(services, personId)
  const { writes, copies } = await handingOnTemplates(services, personId, templatesOfTypes(types))
  return [...writes, ...handingOnKeeperTypes(services, types, copies), ...(await handingOnPatterns(services, personId))]
}
