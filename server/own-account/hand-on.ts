import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { handingOnKeeperTypes, neededTypes, templatesOfTypes } from './hand-on-keeper-types.ts'
import { handingOnPatterns } from './hand-on-patterns.ts'
import { handingOnTemplates } from './hand-on-templates.ts'

/**
 * The writes, before those that delete a person, by which everybody else keeps what their keepers need of what the person
 * made: in copies of their own, which say nothing of the person.
 */
export async function handingOn(services: Services, personId: string): Promise<Write[]> {
  const types = await neededTypes(services, personId)
  const { writes, copies } = await handingOnTemplates(services, personId, templatesOfTypes(types))
  return [...writes, ...handingOnKeeperTypes(services, types, copies), ...(await handingOnPatterns(services, personId))]
}
