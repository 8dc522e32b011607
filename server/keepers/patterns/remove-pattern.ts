import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireOwnPatternFor } from './visible-patterns.ts'
import { whoMeans } from './who-means.ts'

/**
 * Deletes a pattern of one's own that no keeper uses: one's own keepers, and those of the people who may choose it.
 * @throws Problem 404, 403; 409 while keepers use it
 */
export async function removePattern(services: Services, person: Person, id: string): Promise<void> {
  const { db } = services
  const row = await requireOwnPatternFor(services, person, id)
  const users = await whoMeans(services, person, row)
  if (users.some(({ living }) => living))
    throw new Problem('conflict', {
      message: 'Keepers remember in this pattern. Give them another one first; then it can be deleted.',
    })
  await db.deleteFrom('memory_patterns').where('id', '=', row.id).where('owner_id', '=', person.id).execute()
}
