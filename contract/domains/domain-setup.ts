import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-fields.ts'

export const setupFlags = ['domainInfo', 'setupSteps', 'members', 'customDomain'] as const
export const setupSteps = ['keeper', 'agent', 'theme', 'key'] as const

export const domainSetup = z.object({
  domainInfo: z.boolean(),
  setupSteps: z.boolean(),
  members: z.boolean(),
  customDomain: z.boolean(),
  percent: z.number(),
  next: z.nullable(z.number()),
  steps: z.record(z.enum(setupSteps), z.object({ done: z.boolean(), skipped: z.boolean() })),
  justMe: z.boolean(),
  noCustomDomain: z.boolean(),
})
export type DomainSetup = z.infer<typeof domainSetup>

const domainParams = z.object({ id })

export const domainSetups = {
  show: defineEndpoint('GET /api/domains/:id/setup', {
    summary: 'Get the setup progress of a domain',
    access: 'person',
    params: domainParams,
    response: domainSetup,
  }),
  choose: defineEndpoint('PUT /api/domains/:id/setup', {
    summary: 'Skip a setup step: members, the custom domain or one of the first steps',
    access: 'person',
    params: domainParams,
    body: z.object({
      justMe: z.optional(z.boolean('Use true or false.')),
      noCustomDomain: z.optional(z.boolean('Use true or false.')),
      skipped: z.optional(z.array(z.enum(setupSteps)).check(z.maxLength(setupSteps.length))),
    }),
    response: domainSetup,
  }),
}
