import type { UserWithRoles } from '#contract/administration/administration.ts'

/** Whether nobody would be super-admin without this one, as the server counts: nobody locked out, nobody about to go. */
export function isLastSuperAdmin(person: Pick<UserWithRoles, 'id' | 'roles'>, everybody: readonly UserWithRoles[]) {
  return (
    person.roles.includes('super-admin') &&
    !everybody.some(
      (other) => other.id !== person.id && other.roles.includes('super-admin') && !other.deactivated && !other.leaving,
    )
  )
}
