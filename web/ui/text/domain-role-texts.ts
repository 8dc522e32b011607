import type { DomainRole } from '#contract/domains/domain-actions.ts'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'

export const roleNames: Record<DomainRole, string> = {
  owner: 'Owner',
  admin: 'Admin',
  user: 'User',
  friend: 'Friend',
  connection: 'Connection',
}

export const getRoleName = (role: string): string => (roleNames as Record<string, string>)[role] ?? role

/** Matches the permissions in contract/domains/domain-actions.ts; invitations show it too. */
export const roleSentences: Record<DomainRole, string> = {
  owner: 'Owns the domain and can transfer it.',
  admin: 'Manages members, invitations and settings.',
  user: 'Sees what is shared with users and can share their own items.',
  friend: 'Sees what is shared with friends and can share their own items.',
  connection: 'Sees what is shared with connections, nothing more.',
}

export const roleOptions = memberRoles.map((value) => ({ value, label: roleNames[value] }))

export const isMemberRole = (role: string): role is MemberRole => (memberRoles as readonly string[]).includes(role)

export const notJoinedYet = 'Added, hasn’t joined yet'
