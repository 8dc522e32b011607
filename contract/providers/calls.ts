import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine } from '../one-line-text.ts'

export const configuredProvider = z.object({ id: z.string(), name: displayLine })

export const providerCalls = {
  list: defineEndpoint('GET /api/kip/providers', {
    summary: 'List the services configured here in addition to the built-in providers',
    access: 'person',
    response: z.array(configuredProvider),
  }),
}
