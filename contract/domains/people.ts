import * as z from 'zod/mini'
import { auditEvent } from '../administration/audit.ts'
import { endpoint } from '../endpoint.ts'
import { cursorQuery, id } from '../keepers/keeper-words.ts'
import { shownLine } from '../one-line-text.ts'
import { domainRoles } from './domain-deeds.ts'
import { memberRole } from './domains.ts'

export const peopleFilters = ['all', 'active', 'pending'] as const

/** A member of a domain, who is pending until they agreed to be one, or somebody invited who has not come yet (detail.md 3.8). */
export const domainPerson = z.object({
  /** `{domainId}.{userId}` of a member, the invitation's id of somebody invited. */
  id: z.string(),
  domainId: z.string(),
  domainName: shownLine,
  userId: z.nullable(z.string()),
  invitationId: z.nullable(z.string()),
  name: z.nullable(shownLine),
  /** `null` of others who have not agreed to be a member. */
  email: z.nullable(z.string()),
  avatar: z.nullable(shownLine),
  relation: z.enum(domainRoles),
  status: z.enum(['active', 'pending']),
  /** When they became a member or were invited; of the owner, when the domain was made. */
  since: z.string(),
  /** Until when the invitation can be accepted; `null` for who has come. */
  expiresAt: z.nullable(z.string()),
  /** To the day, such as 2026-11-20; `null` while nobody has come, and of others who have not agreed. */
  lastActiveAt: z.nullable(z.string()),
  /** Of the journeys shared in the domain: their own, and those they were put on. */
  journeyIds: z.array(z.string()),
  /** What who manages members wrote down about them; empty for everybody else, and of oneself. */
  note: z.string(),
  /** Whether the caller may change relation, note and journeys. */
  mayChange: z.boolean(),
})
export type DomainPerson = z.infer<typeof domainPerson>

export const peopleOfDomains = z.object({
  people: z.array(domainPerson),
  /** Over all the caller's domains, or over the one asked for; the filter does not change them. Somebody of several domains counts once. */
  summary: z.object({
    total: z.number(),
    active: z.number(),
    pending: z.number(),
    domains: z.number(),
    journeys: z.number(),
  }),
  /** The journeys shared there, for the lines between companions. */
  journeys: z.array(z.object({ id: z.string(), domainId: z.string(), title: shownLine, ownerId: z.string() })),
})
export type PeopleOfDomains = z.infer<typeof peopleOfDomains>

export const people = {
  list: endpoint('GET /api/people', {
    summary: 'The people of one’s domains, or of one of them; who manages members also sees who is invited',
    access: 'person',
    query: z.object({
      domainId: z.optional(id),
      status: z.optional(z.enum(peopleFilters, 'Ask for all, active or pending.')),
    }),
    returns: peopleOfDomains,
  }),
  update: endpoint('PATCH /api/people/:id', {
    summary: 'Change a person’s role, note or journeys in a domain',
    access: 'person',
    params: z.object({ id: z.string().check(z.maxLength(140)) }),
    body: z.object({
      relation: z.optional(memberRole),
      note: z.optional(z.string().check(z.trim(), z.maxLength(2000, 'Use at most 2,000 characters.'))),
      /** The note as it was when the other one was begun: where it is another one by now, it is 409 `stale` with both. */
      noteBefore: z.optional(z.string().check(z.maxLength(2000))),
      journeyIds: z.optional(z.array(id).check(z.maxLength(200))),
      /** Those of before: only what is other among `journeyIds` is put or taken off, and the rest is as others have it by now. */
      journeyIdsBefore: z.optional(z.array(id).check(z.maxLength(200))),
    }),
    returns: domainPerson,
  }),
  activity: endpoint('GET /api/domains/:id/activity', {
    summary: 'What happened in a domain, newest first',
    access: 'person',
    params: z.object({ id }),
    query: z.object(cursorQuery),
    returns: z.object({ items: z.array(auditEvent), next_cursor: z.nullable(z.string()) }),
  }),
}
