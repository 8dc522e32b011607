import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireOwnKeeperType } from './visible-keeper-types.ts'

/** An agent assigned to it alone would otherwise read keepers of every type. Deleted keepers lose their type.
 * @throws Problem 404, 403; 409 while keepers or agents use it */
export async function removeKeeperType(services: Services, person: Person, id: string): Promise<void> {
  const type = await requireOwnKeeperType(services, person, id)
  const { db } = services
  const keepersOfType = db
    .selectFrom('keepers')
    .select('keepers.id')
    .where('keepers.keeper_type_id', '=', type.id)
    .where('keepers.deleted_at', 'is', null)
  const agentsOfTypeOnly = db
    .selectFrom('agent_keeper_types as kept')
    .select('kept.agent_id')
    .where('kept.keeper_type_id', '=', type.id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('agent_keeper_types as other')
            .select('other.agent_id')
            .whereRef('other.agent_id', '=', 'kept.agent_id')
            .where('other.keeper_type_id', '!=', type.id),
        ),
      ),
    )
  const { numDeletedRows } = await db
    .deleteFrom('keeper_types')
    .where('id', '=', type.id)
    .where(({ not, exists }) => not(exists(keepersOfType)))
    .where(({ not, exists }) => not(exists(agentsOfTypeOnly)))
    .executeTakeFirst()
  if (numDeletedRows > 0n) return
  const keeper = await keepersOfType.executeTakeFirst()
  throw new Problem('conflict', {
    message: keeper
      ? 'Keepers use this type. Give those keepers another type first, then delete this one.'
      : 'Some agents are assigned only to this type. Assign them to another type first, then delete this one.',
  })
}
