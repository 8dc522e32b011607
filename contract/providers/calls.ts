import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { displayLine } from '../one-line-text.ts'

export const configuredProvider = z.object({ id: z.string(), name: displayLine })

export const providerCalls = {
  list: endpoint('GET /api/kip/providers', {
    summary: 'List the services configured here in addition to the built-in providers',
    access: 'person',
    returns: z.array(configuredProvider),
  }),
}
