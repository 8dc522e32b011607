import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownLine } from '../one-line-text.ts'
import { givenProvider, shownProvider } from './model-settings.ts'
import { keySources } from './runs.ts'

export const modelList = z.object({
  provider: shownProvider,
  models: z.array(z.string()),
  /**
   * `provider`: what it said itself, at most an hour ago, and, unless it is a local server, then the ones that come with
   * Keeper. `list`: those alone.
   */
  source: z.enum(['provider', 'list']),
  /** Whose key asked. */
  key_source: z.enum(keySources),
  /** The host of a base address set by the operator: a local server. `null`: the provider itself. */
  local_host: z.nullable(z.string()),
  fetched_at: z.nullable(z.string()),
  /** Why the provider's own list is not here; `null` when it is, or when there is no key to ask with. */
  problem: z.nullable(z.string()),
})
export type ModelList = z.infer<typeof modelList>

export const voiceList = z.object({
  voices: z.array(z.object({ id: z.string(), name: shownLine })),
  key_source: z.enum(keySources),
  fetched_at: z.nullable(z.string()),
  problem: z.nullable(z.string()),
})
export type VoiceList = z.infer<typeof voiceList>

const query = z.object({
  provider: givenProvider,
  /** Ask the provider again although the hour is not over. */
  fresh: z.optional(z.literal('true')),
})

export const models = {
  list: endpoint('GET /api/kip/models', {
    summary: 'The models a provider offers to the asking person’s key, cached for an hour',
    access: 'person',
    query,
    returns: modelList,
  }),
  voices: endpoint('GET /api/kip/voices', {
    summary: 'The voices elevenlabs offers to the asking person’s key, cached for an hour',
    access: 'person',
    query: z.object({ fresh: z.optional(z.literal('true')) }),
    returns: voiceList,
  }),
}
