import type { MemberRole } from '#contract/domains/domains.ts'

/** What somebody of that role may do, in the words of the one who chooses it. */
export const roleMeanings: Record<MemberRole, string> = {
  admin: 'Changes the domain, and invites, changes and removes members.',
  user: 'Sees what is shared with users, and shares keepers and journeys.',
  friend: 'Sees what is shared with friends, and shares keepers and journeys.',
  connection: 'Sees what is shared with connections, and nothing more.',
}

export const roleOptions: { value: MemberRole; label: string }[] = [
  { value: 'user', label: 'User' },
  { value: 'friend', label: 'Friend' },
  { value: 'connection', label: 'Connection' },
  { value: 'admin', label: 'Admin' },
]
