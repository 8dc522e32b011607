import type { Domain } from './domains.ts'

export function getDisplayRole(membership: Pick<Domain, 'ownerId' | 'permissions'>, personId: string): string {
  if (membership.ownerId === personId) return 'Owner'
  return membership.permissions[0]?.role ?? 'Member'
}
