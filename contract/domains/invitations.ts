import * as z from 'zod/mini'
import { emailAddress } from '../accounts/email-address.ts'
import { endpoint } from '../endpoint.ts'
import { id, pagedQuery } from '../keepers/keeper-words.ts'
import { shownLine } from '../one-line-text.ts'
import { domainRoles } from './domain-deeds.ts'
import { memberRole } from './domains.ts'

/** `stopped`: who sent it manages the members no more, so it is refused until somebody who does sends it again. */
export const invitationStates = ['open', 'accepted', 'revoked', 'expired', 'stopped'] as const

export const invitation = z.object({
  id: z.string(),
  domainId: z.string(),
  email: z.string(),
  role: z.enum(domainRoles),
  note: z.string(),
  state: z.enum(invitationStates),
  createdAt: z.string(),
  /** When its present link was made. */
  sentAt: z.string(),
  expiresAt: z.string(),
  acceptedAt: z.nullable(z.string()),
  invitedBy: z.nullable(z.object({ id: z.string(), name: z.nullable(shownLine) })),
  acceptedBy: z.nullable(z.object({ id: z.string(), name: z.nullable(shownLine) })),
})
export type Invitation = z.infer<typeof invitation>

/** An invitation with the link that accepts it; the link is told to who may invite, never logged. */
export const invitationWithLink = z.extend(invitation, { link: z.string(), mailed: z.boolean() })
export type InvitationWithLink = z.infer<typeof invitationWithLink>

const domainParams = z.object({ id })
const invitationParams = z.object({ id, invitationId: id })
const token = z.string().check(z.maxLength(200))

export const invitations = {
  create: endpoint('POST /api/domains/:id/invitations', {
    summary:
      'Invite up to 50 people by a link each, mailed when mail is set up; who was invited already gets a new link',
    access: 'person',
    params: domainParams,
    body: z.object({
      emails: z
        .array(emailAddress)
        .check(z.minLength(1, 'Enter at least one email address.'), z.maxLength(50, 'Invite at most 50 at once.')),
      role: memberRole,
      /** A word of welcome, shown with the invitation. */
      note: z.optional(z.string().check(z.trim(), z.maxLength(1000, 'Use at most 1,000 characters.'))),
    }),
    // Not `creates`: the answer holds links, and answers to creates are kept. Sent twice, it makes no second invitation.
    returns: z.array(invitationWithLink),
  }),
  list: endpoint('GET /api/domains/:id/invitations', {
    summary:
      'The invitations of a domain, those that wait for an answer first, the newest before the others; 1,000 at once',
    access: 'person',
    params: domainParams,
    query: pagedQuery,
    returns: z.array(invitation),
  }),
  resend: endpoint('POST /api/domains/:id/invitations/:invitationId/resend', {
    summary: 'A new link for another 14 days; the one before works no more',
    access: 'person',
    params: invitationParams,
    returns: invitationWithLink,
  }),
  revoke: endpoint('POST /api/domains/:id/invitations/:invitationId/revoke', {
    summary: 'Take an invitation back; its link works no more',
    access: 'person',
    params: invitationParams,
    returns: invitation,
  }),
  link: endpoint('GET /api/domains/:id/invitations/:invitationId/link', {
    summary: 'The link of an open invitation again',
    access: 'person',
    params: invitationParams,
    returns: z.object({ link: z.string() }),
  }),
  look: endpoint('POST /api/invitations/look', {
    summary: 'What an invitation is to, for who holds its link',
    access: 'public',
    body: z.object({ token }),
    returns: z.object({
      domain: z.object({ id: z.string(), name: shownLine, description: z.nullable(z.string()) }),
      invitedBy: z.nullable(shownLine),
      email: z.string(),
      role: z.enum(domainRoles),
      note: z.string(),
      expiresAt: z.string(),
    }),
  }),
  accept: endpoint('POST /api/invitations/accept', {
    summary: 'Become a member by an invitation; works once',
    access: 'person',
    body: z.object({ token }),
    returns: z.object({ domainId: z.string(), role: z.enum(domainRoles) }),
  }),
}

/** Days an invitation can be accepted. */
export const invitationDays = 14
