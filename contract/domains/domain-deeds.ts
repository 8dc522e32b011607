/** The roles in a domain, the closest first. */
export const domainRoles = ['owner', 'admin', 'user', 'friend', 'connection'] as const
export type DomainRole = (typeof domainRoles)[number]

/** A role within a sentence: "is now a friend". */
export const rolesInSentences: Record<DomainRole, string> = {
  owner: 'the owner',
  admin: 'an admin',
  user: 'a user',
  friend: 'a friend',
  connection: 'a connection',
}

/**
 * The one table of what each member role may do in a domain: the server asks it before every verb, pages hide by it what
 * would be refused (seed 000 §6, product.md §3). Who is no member cannot tell that the domain exists.
 */
export const domainDeeds = {
  /** Name, members, what is shared, and what happened. */
  see: domainRoles,
  /** Go; the owner hands the domain on first. */
  leave: ['admin', 'user', 'friend', 'connection'],
  /** Give something of one's own to the members. */
  share: ['owner', 'admin', 'user', 'friend'],
  edit: ['owner', 'admin'],
  /** Add, change and remove members, invite, take back invitations. */
  manageMembers: ['owner', 'admin'],
  /** How far the setting up is, and what was put off. */
  setUp: ['owner', 'admin'],
  /** Read how the custom domain stands. */
  seeCustomDomain: ['owner', 'admin'],
  setCustomDomain: ['owner'],
  transfer: ['owner'],
  makePrimary: ['owner'],
  remove: ['owner'],
} as const satisfies Record<string, readonly DomainRole[]>
export type DomainDeed = keyof typeof domainDeeds

export function mayInDomain(role: DomainRole, deed: DomainDeed): boolean {
  return (domainDeeds[deed] as readonly DomainRole[]).includes(role)
}
