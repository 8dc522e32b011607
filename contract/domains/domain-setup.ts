import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-words.ts'

export const setupFlags = ['domainInfo', 'setupSteps', 'members', 'customDomain'] as const
export const setupSteps = ['keeper', 'agent', 'theme', 'key'] as const

/** detail.md 3.10: flags computed from what is there, and from what was put off on purpose. */
export const domainSetup = z.object({
  domainInfo: z.boolean(),
  setupSteps: z.boolean(),
  members: z.boolean(),
  customDomain: z.boolean(),
  /** Share of the four flags that are done: 0, 25, 50, 75, 100. */
  percent: z.number(),
  /** The first unfinished step, from 0; `null` when all are done. */
  next: z.nullable(z.number()),
  steps: z.record(z.enum(setupSteps), z.object({ done: z.boolean(), skipped: z.boolean() })),
  /** "Just me" was chosen instead of members. */
  justMe: z.boolean(),
  /** "Not now" was chosen instead of a custom domain. */
  noCustomDomain: z.boolean(),
})
export type DomainSetup = z.infer<typeof domainSetup>

const params = z.object({ id })

export const domainSetups = {
  show: endpoint('GET /api/domains/:id/setup', {
    summary: 'How far the setting up of a domain is',
    access: 'person',
    params,
    returns: domainSetup,
  }),
  choose: endpoint('PUT /api/domains/:id/setup', {
    summary: 'Put something off on purpose: no members, no custom domain, one of the first steps',
    access: 'person',
    params,
    body: z.object({
      justMe: z.optional(z.boolean('Say true or false.')),
      noCustomDomain: z.optional(z.boolean('Say true or false.')),
      skipped: z.optional(z.array(z.enum(setupSteps)).check(z.maxLength(setupSteps.length))),
    }),
    returns: domainSetup,
  }),
}
