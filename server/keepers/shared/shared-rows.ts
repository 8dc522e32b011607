import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'
import { type SharedPart, sharedParts } from '#contract/domains/sharing-in-domains.ts'

/** Role columns of a share; its giver and the domain owner always have access. */
export const toRoleColumns = (roles: readonly MemberRole[]) => ({
  for_admin: roles.includes('admin'),
  for_user: roles.includes('user'),
  for_friend: roles.includes('friend'),
  for_connection: roles.includes('connection'),
})

export const toRoles = (row: ReturnType<typeof toRoleColumns>): MemberRole[] =>
  memberRoles.filter((role) => row[`for_${role}`])

export const toPartColumns = (parts: readonly SharedPart[]) => ({
  with_moments: parts.includes('moments'),
  with_journeys: parts.includes('journeys'),
  with_logbook: parts.includes('logbook'),
  with_sole: parts.includes('sole'),
})

export const toParts = (row: ReturnType<typeof toPartColumns>): SharedPart[] =>
  sharedParts.filter((part) => row[`with_${part}`])

export const roleColumns = ['share.for_admin', 'share.for_user', 'share.for_friend', 'share.for_connection'] as const
export const partColumns = [
  'share.with_moments',
  'share.with_journeys',
  'share.with_logbook',
  'share.with_sole',
] as const
