import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireOwnKeeperTypeFor } from './visible-keeper-types.ts'

/**
 * Deletes a keeper type of one's own that no keeper uses. A keeper in the bin does not count; restored, it has none.
 * @throws Problem 404, 403; 409 while keepers use it
 */
export async function removeKeeperType(services: Services, person: Person, id: string): Promise<void> {
  const type = await requireOwnKeeperTypeFor(services, person, id)
  const { db } = services
  const { numDeletedRows } = await db
    .deleteFrom('keeper_types')
    .where('id', '=', type.id)
    .where((where) =>
      where.not(
        where.exists(
          db
            .selectFrom('keepers')
            .select('keepers.id')
            .where('keepers.keeper_type_id', '=', type.id)
            .where('keepers.deleted_at', 'is', null),
        ),
      ),
    )
    .executeTakeFirst()
  if (numDeletedRows === 0n)
    throw new Problem('conflict', {
      message: 'Keepers use this type. Give them another one first; then it can be deleted.',
    })
}
