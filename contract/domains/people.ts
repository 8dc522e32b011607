import * as z from 'zod/mini'
import { auditEvent } from '../administration/audit.ts'
import { defineEndpoint } from '../endpoint.ts'
import { cursorQuery, id } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'
import { domainRoles } from './domain-actions.ts'
import { memberRole } from './domains.ts'

export const peopleFilters = ['all', 'active', 'pending'] as const

export const domainPerson = z.object({
  /** `{domainId}.{userId}` for a member, else the invitation's ID. */
  id: z.string(),
  domainId: z.string(),
  domainName: displayLine,
  userId: z.nullable(z.string()),
  invitationId: z.nullable(z.string()),
  name: z.nullable(displayLine),
  /** `null` for other people who haven't agreed to be a member. */
  email: z.nullable(z.string()),
  avatar: z.nullable(displayLine),
  relation: z.enum(domainRoles),
  status: z.enum(['active', 'pending']),
  /** When they joined or were invited; for the owner, when the domain was created. */
  since: z.string(),
  expiresAt: z.nullable(z.string()),
  lastActiveAt: z.nullable(z.string()),
  /** Shared journeys: their own, and those they were added to. */
  journeyIds: z.array(z.string()),
  /** Written by people who manage members; empty for everyone else and for oneself. */
  note: z.string(),
  mayChange: z.boolean(),
})
export type DomainPerson = z.infer<typeof domainPerson>

export const domainPeople = z.object({
  people: z.array(domainPerson),
  /** For all the caller's domains or the requested one, regardless of the status filter. Each person counts once. */
  summary: z.object({
    total: z.number(),
    active: z.number(),
    pending: z.number(),
    domains: z.number(),
    journeys: z.number(),
  }),
  journeys: z.array(z.object({ id: z.string(), domainId: z.string(), title: displayLine, ownerId: z.string() })),
})
export type DomainPeople = z.infer<typeof domainPeople>

export const people = {
  list: defineEndpoint('GET /api/people', {
    summary: 'List the people of your domains or of one domain; people who manage members also see invitations',
    access: 'person',
    query: z.object({
      domainId: z.optional(id),
      status: z.optional(z.enum(peopleFilters, 'Choose all, active or pending.')),
    }),
    response: domainPeople,
  }),
  update: defineEndpoint('PATCH /api/people/:id', {
    summary: 'Change a person’s role, note or journeys in a domain',
    access: 'person',
    params: z.object({ id: z.string().check(z.maxLength(140)) }),
    body: z.object({
      relation: z.optional(memberRole),
      note: z.optional(z.string().check(z.trim(), z.maxLength(2000, 'Use at most 2,000 characters.'))),
      /** The note when editing started; 409 `stale` with both texts if it has changed since. */
      noteBefore: z.optional(z.string().check(z.maxLength(2000))),
      journeyIds: z.optional(z.array(id).check(z.maxLength(200))),
      /** The list when editing started; only differences to it are applied. */
      journeyIdsBefore: z.optional(z.array(id).check(z.maxLength(200))),
    }),
    response: domainPerson,
  }),
  activity: defineEndpoint('GET /api/domains/:id/activity', {
    summary: 'List the activity in a domain, newest first',
    access: 'person',
    params: z.object({ id }),
    query: z.object(cursorQuery),
    response: z.object({ items: z.array(auditEvent), next_cursor: z.nullable(z.string()) }),
  }),
}
