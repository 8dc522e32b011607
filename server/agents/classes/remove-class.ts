import { sql } from 'kysely'
import type { Person } from '#server/accounts/person.ts'
import { selectPeopleSeeing } from '#server/domains/people-of-domains.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireOwnClass } from './visible-classes.ts'

/** @throws Problem 404, 403; 409 while an agent of its owner or their domain uses the class */
export async function removeClass(services: Services, person: Person, id: string): Promise<void> {
  const { db } = services
  const row = await requireOwnClass(services, person, id)
  const using = await db.longRead(
    db
      .selectFrom('agents')
      .select('id')
      .where((where) =>
        where.or([where('owner_id', '=', person.id), where('owner_id', 'in', selectPeopleSeeing(db, person.id))]),
      )
      .where(sql<string | null>`config ->> 'class_slug'`, '=', row.slug)
      .limit(1),
  )
  if (using.length > 0)
    throw new Problem('conflict', {
      message: 'Agents use this class. Delete them or change their class first.',
    })
  await db.deleteFrom('agent_classes').where('id', '=', row.id).where('owner_id', '=', person.id).execute()
}
