import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { findPatternUsers } from './find-pattern-users.ts'
import { requireOwnPattern } from './visible-patterns.ts'

/** @throws Problem 404, 403; 409 while a keeper of the person or a domain member uses it */
export async function removePattern(services: Services, person: Person, id: string): Promise<void> {
  const { db } = services
  const row = await requireOwnPattern(services, person, id)
  const users = await findPatternUsers(services, person, row)
  if (users.some(({ isActive }) => isActive))
    throw new Problem('conflict', {
      message: 'Keepers use this pattern. Give those keepers another pattern first, then delete this one.',
    })
  await db.deleteFrom('memory_patterns').where('id', '=', row.id).where('owner_id', '=', person.id).execute()
}
