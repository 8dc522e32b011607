import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id, nothing } from '../keepers/keeper-words.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import { domainRoles } from './domain-deeds.ts'

/** What a member can be made; owner one becomes by transfer. */
export const memberRoles = ['admin', 'user', 'friend', 'connection'] as const
export type MemberRole = (typeof memberRoles)[number]
export const memberRole = z.enum(memberRoles, 'Choose admin, user, friend or connection.')

export const domain = z.object({
  id: z.string(),
  name: shownLine,
  slug: z.string(),
  description: z.nullable(z.string()),
  ownerId: z.string(),
  isPrimary: z.boolean(),
  customDomain: z.nullable(z.string()),
  customDomainVerified: z.boolean(),
  /** The caller's role; empty for who only manages the platform's domains. */
  permissions: z.array(z.object({ role: z.enum(domainRoles) })),
  /** Not yet is who was added by somebody and has not said that they belong: nothing of theirs is open to the others by it. */
  agreed: z.boolean(),
  /** The public Lead agent that a verified custom domain shows; none: a page with name and description. */
  leadAgentId: z.nullable(z.string()),
  rev: z.number(),
})
export type Domain = z.infer<typeof domain>

/** A domain as who manages the platform sees it: whose it is and how large, never what is kept in it. */
export const managedDomain = z.extend(domain, {
  ownerName: z.nullable(shownLine),
  ownerEmail: z.string(),
  /** With the owner. */
  memberCount: z.number(),
  createdAt: z.string(),
})
export type ManagedDomain = z.infer<typeof managedDomain>

export const domainMember = z.object({
  userId: z.string(),
  name: z.nullable(shownLine),
  role: z.enum(domainRoles),
  /** `null` of others who have not agreed to be a member. */
  email: z.nullable(z.string()),
  addedAt: z.string(),
  /** Whether they agreed to be a member: the owner, who came by an invitation, and who said so. */
  agreed: z.boolean(),
  /** Who added or invited them; `null` where that account is gone, and of the owner. */
  addedBy: z.nullable(z.object({ id: z.string(), name: z.nullable(shownLine) })),
})
export type DomainMember = z.infer<typeof domainMember>

export const foundPerson = z.object({
  id: z.string(),
  name: z.nullable(shownLine),
  email: z.nullable(z.string()),
  /** Of those who agreed to share a domain; `null` of everybody else. */
  createdAt: z.nullable(z.string()),
})
export type FoundPerson = z.infer<typeof foundPerson>

const name = oneLine({ max: 120, min: 1, message: 'Enter a name.' })
/** Empty: made from the name. The server says which ones cannot be had. */
const slug = z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(63, 'Use at most 63 characters.'))))
const description = z.optional(
  z.nullable(z.string().check(z.trim(), z.maxLength(2000, 'Use at most 2,000 characters.'))),
)
const domainParams = z.object({ id })
const memberParams = z.object({ id, userId: id })

export const domains = {
  mine: endpoint('GET /api/domains/my', {
    summary: 'The domains one owns or is a member of, the primary one first',
    access: 'person',
    returns: z.array(domain),
    answer: 'bare',
  }),
  all: endpoint('GET /api/admin/domains/my', {
    summary:
      'Every domain of the platform, by name; 1,000 at once, and those behind them with `after`, the id of the last one of them',
    access: { permission: 'manage_domains' },
    query: z.object({
      after: z.optional(id),
      /** In name, slug, description, custom domain, or the owner's name or e-mail. */
      search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    }),
    returns: z.array(managedDomain),
    answer: 'bare',
  }),
  create: endpoint('POST /api/domains', {
    summary: 'Make a domain; its maker owns it',
    access: 'person',
    body: z.object({ name, slug, description }),
    returns: domain,
    answer: 'bare',
    creates: true,
  }),
  update: endpoint('PATCH /api/domains/:id', {
    summary: 'Change name, slug, description, or the agent its own address shows',
    access: 'person',
    params: domainParams,
    body: z.object({ name: z.optional(name), slug, description, leadAgentId: z.optional(z.nullable(id)) }),
    returns: domain,
    answer: 'bare',
  }),
  setCustomDomain: endpoint('PUT /api/domains/:id', {
    summary:
      'Write down a custom domain, or take it away with null; another one begins unverified, and absent it stays',
    access: 'person',
    params: domainParams,
    body: z.object({
      customDomain: z.optional(
        z.nullable(z.string('Enter a domain name, such as memories.example.com.').check(z.maxLength(300))),
      ),
    }),
    returns: domain,
    answer: 'bare',
  }),
  remove: endpoint('DELETE /api/domains/:id', {
    summary: 'Delete a domain that is not the primary one; what people keep stays theirs',
    access: 'person',
    params: domainParams,
    returns: nothing,
  }),
  makePrimary: endpoint('POST /api/domains/:id/primary', {
    summary: 'Make a domain of one’s own the primary one',
    access: 'person',
    params: domainParams,
    returns: domain,
  }),
  transfer: endpoint('POST /api/domains/:id/transfer', {
    summary: 'Hand a domain to one of its members; the former owner stays as admin',
    access: 'person',
    params: domainParams,
    body: z.object({ userId: id }),
    returns: domain,
  }),
  members: endpoint('GET /api/domains/:id/members', {
    summary:
      'The owner, then the members by name; 1,000 at once, and those behind them with `after`, the id of the last one of them',
    access: 'person',
    params: domainParams,
    query: z.object({ after: z.optional(id) }),
    returns: z.array(domainMember),
    answer: 'bare',
  }),
  addMember: endpoint('POST /api/domains/:id/members', {
    summary:
      'Add somebody who has an account; others see their name and role, and nothing else of them until they agree',
    access: 'person',
    params: domainParams,
    body: z.object({ userId: id, role: memberRole }),
    returns: domainMember,
  }),
  agree: endpoint('POST /api/domains/:id/members/me/agreement', {
    summary: 'Agree to be a member where somebody added one; twice is once',
    access: 'person',
    params: domainParams,
    returns: domain,
  }),
  changeMember: endpoint('PATCH /api/domains/:id/members/:userId', {
    summary: 'Change a member’s role; nobody changes their own, and the owner’s stays',
    access: 'person',
    params: memberParams,
    body: z.object({ role: memberRole }),
    returns: domainMember,
  }),
  removeMember: endpoint('DELETE /api/domains/:id/members/:userId', {
    summary: 'Remove a member; of oneself: leave',
    access: 'person',
    params: memberParams,
    returns: nothing,
  }),
  searchPeople: endpoint('GET /api/domains/users/search', {
    summary:
      'At most 10 people by name or e-mail; e-mails of those who agreed to share a domain, or of that exact address',
    access: 'person',
    query: z.object({
      query: z.string().check(z.trim(), z.minLength(2, 'Type at least 2 characters.'), z.maxLength(200)),
    }),
    returns: z.array(foundPerson),
    answer: 'bare',
  }),
}

/** What somebody is in a domain: who owns it is its owner, whatever the permissions say. */
export function roleIn(of: Pick<Domain, 'ownerId' | 'permissions'>, personId: string | undefined) {
  return of.ownerId === personId ? 'owner' : of.permissions[0]?.role
}

/** The role shown beside a domain (seed 000 §6): Owner, else the first permission's role, else Member. */
export function shownRole(of: Pick<Domain, 'ownerId' | 'permissions'>, personId: string): string {
  if (of.ownerId === personId) return 'Owner'
  return of.permissions[0]?.role ?? 'Member'
}
