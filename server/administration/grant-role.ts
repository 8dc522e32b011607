import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

/** `grantedBy` is null from the command line. Granting twice changes nothing. */
export async function grantRole(
  services: Services,
  personId: string,
  role: PlatformRole,
  grantedBy: string | null,
): Promise<void> {
  await services.db
    .insertInto('role_grants')
    .values({ person_id: personId, role, granted_at: services.now().getTime(), granted_by: grantedBy })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  services.sessions.forgetPerson(personId)
}

/** The last super-admin stays: nobody could give the role back. */
export async function revokeRole(services: Services, personId: string, role: PlatformRole): Promise<void> {
  const revoked = await services.db
    .deleteFrom('role_grants')
    .where('person_id', '=', personId)
    .where('role', '=', role)
    .where((where) =>
      where.or([
        where('role', '!=', 'super-admin'),
        where.exists(
          where
            .selectFrom('role_grants as other')
            .innerJoin('people', 'people.id', 'other.person_id')
            .select('other.person_id')
            .where('other.role', '=', 'super-admin')
            .where('other.person_id', '!=', personId)
            .where('people.deactivated_at', 'is', null),
        ),
      ]),
    )
    .returning('person_id')
    .executeTakeFirst()
  services.sessions.forgetPerson(personId)
  if (revoked) return
  const held = await services.db
    .selectFrom('role_grants')
    .select('person_id')
    .where('person_id', '=', personId)
    .where('role', '=', role)
    .executeTakeFirst()
  if (held)
    throw new Problem('conflict', { message: 'This is the last super-admin. Grant the role to somebody else first.' })
}
