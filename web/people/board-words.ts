import { type DomainRole, domainRoles } from '#contract/domains/domain-deeds.ts'
import { type MemberRole, memberRoles } from '#contract/domains/domains.ts'

export const roleNames: Record<DomainRole, string> = {
  owner: 'Owner',
  admin: 'Admin',
  user: 'User',
  friend: 'Friend',
  connection: 'Connection',
}

/** What each role may do, as contract/domains/domain-deeds.ts has it. */
export const roleSentences: Record<DomainRole, string> = {
  owner: 'Holds the domain and can hand it on.',
  admin: 'Manages members, invitations and settings.',
  user: 'Reads what is for users, and shares.',
  friend: 'Reads what is for friends, and shares.',
  connection: 'Reads what is for connections.',
}

export const roleOptions = memberRoles.map((value) => ({ value, label: roleNames[value] }))
export const zones = domainRoles

export const isMemberRole = (role: string): role is MemberRole => (memberRoles as readonly string[]).includes(role)
