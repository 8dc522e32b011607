/** From the most to the least trusted role. */
export const domainRoles = ['owner', 'admin', 'user', 'friend', 'connection'] as const
export type DomainRole = (typeof domainRoles)[number]

export const roleNamesInSentence: Record<DomainRole, string> = {
  owner: 'the owner',
  admin: 'an admin',
  user: 'a user',
  friend: 'a friend',
  connection: 'a connection',
}

/**
 * The roles that can do each action. The server enforces them, and pages hide other actions. Without a role, the domain
 * is not found.
 */
export const domainActions = {
  see: domainRoles,
  leave: ['admin', 'user', 'friend', 'connection'],
  share: ['owner', 'admin', 'user', 'friend'],
  edit: ['owner', 'admin'],
  manageMembers: ['owner', 'admin'],
  setUp: ['owner', 'admin'],
  seeCustomDomain: ['owner', 'admin'],
  setCustomDomain: ['owner'],
  transfer: ['owner'],
  makePrimary: ['owner'],
  remove: ['owner'],
} as const satisfies Record<string, readonly DomainRole[]>
export type DomainAction = keyof typeof domainActions

/** False without a role. */
export function canActInDomain(role: DomainRole | null | undefined, action: DomainAction): boolean {
  return (domainActions[action] as readonly (DomainRole | null | undefined)[]).includes(role)
}
