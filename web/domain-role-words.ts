import type { DomainRole } from '#contract/domains/domain-deeds.ts'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'

export const roleNames: Record<DomainRole, string> = {
  owner: 'Owner',
  admin: 'Admin',
  user: 'User',
  friend: 'Friend',
  connection: 'Connection',
}

/** Of a word that may be no role, such as "Member", the word itself. */
export const roleName = (word: string): string => (roleNames as Record<string, string>)[word] ?? word

/** What each role may do, as contract/domains/domain-deeds.ts has it; who is invited reads it too. */
export const roleSentences: Record<DomainRole, string> = {
  owner: 'Holds the domain and can hand it on.',
  admin: 'Manages members, invitations and settings.',
  user: 'Sees what is shared with users, and shares things of their own.',
  friend: 'Sees what is shared with friends, and shares things of their own.',
  connection: 'Sees what is shared with connections, and nothing more.',
}

export const roleOptions = memberRoles.map((value) => ({ value, label: roleNames[value] }))

export const isMemberRole = (role: string): role is MemberRole => (memberRoles as readonly string[]).includes(role)
