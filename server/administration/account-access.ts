import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { permissionsOf } from '#contract/accounts/role-permissions.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { accountNotFound } from './grant-role.ts'

type Asking = Pick<Person, 'id' | 'permissions'>

/** Not on oneself, and, for who grants no roles, not on somebody who holds a permission one lacks. */
export function mayActOn(person: Asking, account: { id: string; roles: readonly PlatformRole[] }): boolean {
  if (account.id === person.id) return false
  if (person.permissions.has('manage_platform_roles')) return true
  return [...permissionsOf(account.roles)].every((permission) => person.permissions.has(permission))
}

/** The account with its roles, for who may act on it. @throws Problem 404 where there is none, 403 where it is not theirs to act on */
export async function requireAccountToActOn(services: Services, person: Asking, id: string) {
  const account = await services.db
    .selectFrom('people')
    .select(['id', 'deactivated_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!account) throw accountNotFound()
  const grants = await services.db.selectFrom('role_grants').select('role').where('person_id', '=', id).execute()
  const roles = grants.map(({ role }) => role)
  if (mayActOn(person, { id, roles })) return { ...account, roles }
  throw new Problem('forbidden', {
    message:
      id === person.id
        ? 'This is your own account. Profile and Settings is where you sign out and leave.'
        : 'This account holds permissions that yours lacks. Ask a super-admin.',
  })
}
