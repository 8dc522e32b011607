import type { Person } from '#server/accounts/person.ts'
import { peopleWhoSee } from '#server/domains/people-of-domains.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireOwnClassFor } from './visible-classes.ts'

/**
 * Deletes a class of one's own that no agent was made with: one's own agents, and those of the people who may use it.
 * @throws Problem 404, 403; 409 while agents use it
 */
export async function removeClass(services: Services, person: Person, id: string): Promise<void> {
  const { db } = services
  const row = await requireOwnClassFor(services, person, id)
  const owned = await db
    .selectFrom('agents')
    .select('config')
    .where((where) =>
      where.or([where('owner_id', '=', person.id), where('owner_id', 'in', peopleWhoSee(db, person.id))]),
    )
    .execute()
  if (owned.some(({ config }) => config.class_slug === row.slug))
    throw new Problem('conflict', {
      message: 'Agents were made with this class. Delete them, or save them as another class; then it can be deleted.',
    })
  await db.deleteFrom('agent_classes').where('id', '=', row.id).where('owner_id', '=', person.id).execute()
}
