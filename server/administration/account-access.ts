import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { getRolePermissions } from '#contract/accounts/role-permissions.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { accountNotFound } from './grant-role.ts'

type Actor = Pick<Person, 'id' | 'permissions'>

/**
 * Anyone who grants roles can act on all accounts but their own; others only on accounts without permissions they lack.
 */
export function canActOn(person: Actor, account: { id: string; roles: readonly PlatformRole[] }): boolean {
  if (account.id === person.id) return false
  if (person.permissions.has('manage_platform_roles')) return true
  return [...getRolePermissions(account.roles)].every((permission) => person.permissions.has(permission))
}

/** @throws Problem 404 for an unknown account, 403 for one the person can't act on */
export async function requireManageableAccount(services: Services, person: Actor, id: string) {
  const account = await services.db
    .selectFrom('people')
    .select(['id', 'deactivated_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!account) throw accountNotFound()
  const grants = await services.db.selectFrom('role_grants').select('role').where('person_id', '=', id).execute()
  const roles = grants.map(({ role }) => role)
  if (canActOn(person, { id, roles })) return { ...account, roles }
  throw new Problem('forbidden', {
    message:
      id === person.id
        ? 'This is your own account. Sign out or delete it in Profile and Settings.'
        : 'This account has permissions yours doesn’t. Ask a super-admin.',
  })
}
