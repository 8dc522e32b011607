import type { QueryClient } from '@tanstack/react-query'
import type { PlatformUserDetails } from '#contract/administration/administration.ts'
import { userKey } from '../admin-queries.ts'
import type { RoleChange } from '../roles/use-role-change.ts'

export function showRole(queryClient: QueryClient, { person, role, hasRole }: RoleChange): void {
  queryClient.setQueryData<PlatformUserDetails>(userKey(person.id), (user) => {
    if (!user) return user
    const otherRoles = user.platformRoles.filter((other) => other !== role)
    return { ...user, platformRoles: hasRole ? [...otherRoles, role] : otherRoles }
  })
}
