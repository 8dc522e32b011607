import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { emptyResponse, id } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import { domainRoles } from './domain-actions.ts'

export const memberRoles = ['admin', 'user', 'friend', 'connection'] as const
export type MemberRole = (typeof memberRoles)[number]
export const memberRole = z.enum(memberRoles, 'Choose admin, user, friend or connection.')

export const domain = z.object({
  id: z.string(),
  name: displayLine,
  slug: z.string(),
  description: z.nullable(z.string()),
  ownerId: z.string(),
  isPrimary: z.boolean(),
  customDomain: z.nullable(z.string()),
  customDomainVerified: z.boolean(),
  /** The caller's role; empty for platform administrators who aren't members. */
  permissions: z.array(z.object({ role: z.enum(domainRoles) })),
  /** False until an added person agrees; until then others can't see anything of theirs. */
  agreed: z.boolean(),
  /** Public Lead agent shown on the verified custom domain; `null`: a page with name and description. */
  leadAgentId: z.nullable(z.string()),
  rev: z.number(),
})
export type Domain = z.infer<typeof domain>

/** For platform administrators: owner and size, never content. */
export const managedDomain = z.extend(domain, {
  ownerName: z.nullable(displayLine),
  ownerEmail: z.string(),
  memberCount: z.number(),
  createdAt: z.string(),
})
export type ManagedDomain = z.infer<typeof managedDomain>

export const domainMember = z.object({
  userId: z.string(),
  name: z.nullable(displayLine),
  role: z.enum(domainRoles),
  /** `null` for other people who haven't agreed to be a member. */
  email: z.nullable(z.string()),
  addedAt: z.string(),
  /** True for the owner, for accepted invitations and for added people who agreed. */
  agreed: z.boolean(),
  addedBy: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine) })),
})
export type DomainMember = z.infer<typeof domainMember>

export const userSearchResult = z.object({
  id: z.string(),
  name: z.nullable(displayLine),
  email: z.nullable(z.string()),
  /** `null` unless the person agreed to share a domain. */
  createdAt: z.nullable(z.string()),
})
export type UserSearchResult = z.infer<typeof userSearchResult>

const name = oneLine({ max: 120, min: 1, message: 'Enter a name.' })
const slug = z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(63, 'Use at most 63 characters.'))))
const description = z.optional(
  z.nullable(z.string().check(z.trim(), z.maxLength(2000, 'Use at most 2,000 characters.'))),
)
const domainParams = z.object({ id })
const memberParams = z.object({ id, userId: id })

export const domains = {
  mine: defineEndpoint('GET /api/domains/my', {
    summary: 'List the domains you own or belong to, the primary one first',
    access: 'person',
    response: z.array(domain),
    responseFormat: 'bare',
  }),
  all: defineEndpoint('GET /api/admin/domains/my', {
    summary: 'List all domains of the platform by name; 1,000 per page. For the next page pass the last ID as `after`',
    access: { permission: 'manage_domains' },
    query: z.object({
      after: z.optional(id),
      search: z.optional(z.string().check(z.trim(), z.maxLength(200))),
    }),
    response: z.array(managedDomain),
    responseFormat: 'bare',
  }),
  create: defineEndpoint('POST /api/domains', {
    summary: 'Create a domain; you become its owner',
    access: 'person',
    body: z.object({ name, slug, description }),
    response: domain,
    responseFormat: 'bare',
    supportsIdempotencyKey: true,
  }),
  update: defineEndpoint('PATCH /api/domains/:id', {
    summary: 'Update the name, slug, description or the agent shown at the custom domain',
    access: 'person',
    params: domainParams,
    body: z.object({ name: z.optional(name), slug, description, leadAgentId: z.optional(z.nullable(id)) }),
    response: domain,
    responseFormat: 'bare',
  }),
  setCustomDomain: defineEndpoint('PUT /api/domains/:id', {
    summary: 'Set a custom domain, or remove it with null; a new one starts unverified',
    access: 'person',
    params: domainParams,
    body: z.object({
      customDomain: z.optional(
        z.nullable(z.string('Enter a domain name, such as memories.example.com.').check(z.maxLength(300))),
      ),
    }),
    response: domain,
    responseFormat: 'bare',
  }),
  remove: defineEndpoint('DELETE /api/domains/:id', {
    summary: 'Delete a domain other than the primary one; people keep their own entries',
    access: 'person',
    params: domainParams,
    response: emptyResponse,
  }),
  makePrimary: defineEndpoint('POST /api/domains/:id/primary', {
    summary: 'Make one of your domains the primary one',
    access: 'person',
    params: domainParams,
    response: domain,
  }),
  transfer: defineEndpoint('POST /api/domains/:id/transfer', {
    summary: 'Transfer a domain to one of its members; the former owner becomes an admin',
    access: 'person',
    params: domainParams,
    body: z.object({ userId: id }),
    response: domain,
  }),
  members: defineEndpoint('GET /api/domains/:id/members', {
    summary: 'List the owner, then the members by name; 1,000 per page. For the next page pass the last ID as `after`',
    access: 'person',
    params: domainParams,
    query: z.object({ after: z.optional(id) }),
    response: z.array(domainMember),
    responseFormat: 'bare',
  }),
  addMember: defineEndpoint('POST /api/domains/:id/members', {
    summary: 'Add a person with an account; until they agree, others see only their name and role',
    access: 'person',
    params: domainParams,
    body: z.object({ userId: id, role: memberRole }),
    response: domainMember,
  }),
  agree: defineEndpoint('POST /api/domains/:id/members/me/agreement', {
    summary: 'Agree to be a member after being added; repeating has no effect',
    access: 'person',
    params: domainParams,
    response: domain,
  }),
  changeMember: defineEndpoint('PATCH /api/domains/:id/members/:userId', {
    summary: 'Change a member’s role, but not your own or the owner’s',
    access: 'person',
    params: memberParams,
    body: z.object({ role: memberRole }),
    response: domainMember,
  }),
  removeMember: defineEndpoint('DELETE /api/domains/:id/members/:userId', {
    summary: 'Remove a member, or leave',
    access: 'person',
    params: memberParams,
    response: emptyResponse,
  }),
  searchPeople: defineEndpoint('GET /api/domains/users/search', {
    summary:
      'Find up to 10 people by name or email; emails are shown only for people who share a domain with you or for an exact match',
    access: 'person',
    query: z.object({
      query: z.string().check(z.trim(), z.minLength(2, 'Type at least 2 characters.'), z.maxLength(200)),
    }),
    response: z.array(userSearchResult),
    responseFormat: 'bare',
  }),
}

/** The role of the person who asked; undefined for platform administrators who aren't members. */
export function getOwnRole({ permissions }: Pick<Domain, 'permissions'>) {
  return permissions[0]?.role
}

export function getDisplayRole(domain: Pick<Domain, 'permissions'>): string {
  const role = getOwnRole(domain)
  return role === 'owner' ? 'Owner' : (role ?? 'Member')
}
