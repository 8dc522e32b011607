import * as z from 'zod/mini'
import { emailAddress } from '../accounts/email-address.ts'
import { defineEndpoint } from '../endpoint.ts'
import { id, pagedQuery } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'
import { domainRoles } from './domain-actions.ts'
import { memberRole } from './domains.ts'

/** `stopped`: the sender no longer manages members, so the invitation is invalid until someone resends it. */
export const invitationStates = ['open', 'accepted', 'revoked', 'expired', 'stopped'] as const

export const invitation = z.object({
  id: z.string(),
  domainId: z.string(),
  email: z.string(),
  role: z.enum(domainRoles),
  note: z.string(),
  state: z.enum(invitationStates),
  createdAt: z.string(),
  sentAt: z.string(),
  expiresAt: z.string(),
  acceptedAt: z.nullable(z.string()),
  invitedBy: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine) })),
  acceptedBy: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine) })),
})
export type Invitation = z.infer<typeof invitation>

/** The link goes only to people who can invite, and is never logged. */
export const invitationWithLink = z.extend(invitation, { link: z.string(), mailed: z.boolean() })
export type InvitationWithLink = z.infer<typeof invitationWithLink>

const domainParams = z.object({ id })
const invitationParams = z.object({ id, invitationId: id })
const token = z.string().check(z.maxLength(200))

export const invitations = {
  create: defineEndpoint('POST /api/domains/:id/invitations', {
    summary:
      'Invite up to 50 people, each with a link that is emailed if email is set up; people already invited get a new link',
    access: 'person',
    params: domainParams,
    body: z.object({
      emails: z
        .array(emailAddress)
        .check(
          z.minLength(1, 'Enter at least one email address.'),
          z.maxLength(50, 'Invite at most 50 people at a time.'),
        ),
      role: memberRole,
      note: z.optional(z.string().check(z.trim(), z.maxLength(1000, 'Use at most 1,000 characters.'))),
    }),
    // No `supportsIdempotencyKey`: stored responses would contain the links. Repeating the call creates no second invitation.
    response: z.array(invitationWithLink),
  }),
  list: defineEndpoint('GET /api/domains/:id/invitations', {
    summary: 'List the invitations of a domain, open ones first, newest first; 1,000 per page',
    access: 'person',
    params: domainParams,
    query: pagedQuery,
    response: z.array(invitation),
  }),
  resend: defineEndpoint('POST /api/domains/:id/invitations/:invitationId/resend', {
    summary: 'Create a new link for another 14 days; the old link no longer works',
    access: 'person',
    params: invitationParams,
    response: invitationWithLink,
  }),
  revoke: defineEndpoint('POST /api/domains/:id/invitations/:invitationId/revoke', {
    summary: 'Revoke an invitation; its link no longer works',
    access: 'person',
    params: invitationParams,
    response: invitation,
  }),
  link: defineEndpoint('GET /api/domains/:id/invitations/:invitationId/link', {
    summary: 'Get the link of an open invitation',
    access: 'person',
    params: invitationParams,
    response: z.object({ link: z.string() }),
  }),
  look: defineEndpoint('POST /api/invitations/look', {
    summary: 'Preview an invitation by its link',
    access: 'public',
    body: z.object({ token }),
    response: z.object({
      domain: z.object({ id: z.string(), name: displayLine, description: z.nullable(z.string()) }),
      invitedBy: z.nullable(displayLine),
      email: z.string(),
      role: z.enum(domainRoles),
      note: z.string(),
      expiresAt: z.string(),
    }),
  }),
  accept: defineEndpoint('POST /api/invitations/accept', {
    summary: 'Accept an invitation; works once',
    access: 'person',
    body: z.object({ token }),
    response: z.object({ domainId: z.string(), role: z.enum(domainRoles) }),
  }),
}

export const invitationDays = 14
