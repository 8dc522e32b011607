import type { UserWithRoles } from '#contract/administration/administration.ts'

/** Mirrors the server's rule: deactivated and leaving accounts don't count. */
export function isLastSuperAdmin(person: Pick<UserWithRoles, 'id' | 'roles'>, allUsers: readonly UserWithRoles[]) {
  return (
    person.roles.includes('super-admin') &&
    !allUsers.some(
      (other) => other.id !== person.id && other.roles.includes('super-admin') && !other.deactivated && !other.leaving,
    )
  )
}
