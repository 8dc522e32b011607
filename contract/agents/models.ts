import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { displayLine } from '../one-line-text.ts'
import { providerInput, providerOutput } from './model-settings.ts'
import { keySources } from './runs.ts'

export const modelStatuses = ['available', 'deprecated', 'shut-down'] as const

/** From the provider's list, else from the catalog; `null`: unknown. */
export const modelDetails = z.object({
  model: z.string(),
  status: z.enum(modelStatuses),
  shutdown_date: z.nullable(z.string()),
  replacement: z.nullable(z.string()),
  window: z.nullable(z.number()),
  /** US dollars per million tokens. */
  price: z.nullable(
    z.object({ input_usd: z.number(), cached_input_usd: z.nullable(z.number()), output_usd: z.number() }),
  ),
})
export type ModelDetails = z.infer<typeof modelDetails>

/** An agent the caller can edit whose model is shut down, or will be within 60 days. */
export const retiringModel = z.object({
  agent_id: z.string(),
  agent_name: displayLine,
  rev: z.number(),
  provider: z.string(),
  model: displayLine,
  status: z.enum(modelStatuses),
  shutdown_date: z.nullable(z.string()),
  replacement: z.nullable(z.string()),
  can_compare: z.boolean(),
})
export type RetiringModel = z.infer<typeof retiringModel>

export const modelList = z.object({
  provider: providerOutput,
  models: z.array(z.string()),
  details: z.array(modelDetails),
  default_model: z.string(),
  recommended: z.array(z.string()),
  /** `provider`: its own list, cached for an hour, plus the built-in list unless the server is local. `list`: the built-in list only. */
  source: z.enum(['provider', 'list']),
  key_source: z.enum(keySources),
  /** Host of a local server; `null`: the provider itself. */
  local_host: z.nullable(z.string()),
  fetched_at: z.nullable(z.string()),
  /** Why the provider's list is missing; `null` if it isn't, or if there is no key. */
  problem: z.nullable(z.string()),
})
export type ModelList = z.infer<typeof modelList>

export const voiceList = z.object({
  voices: z.array(z.object({ id: z.string(), name: displayLine })),
  key_source: z.enum(keySources),
  fetched_at: z.nullable(z.string()),
  problem: z.nullable(z.string()),
})
export type VoiceList = z.infer<typeof voiceList>

const modelListQuery = z.object({
  provider: providerInput,
  fresh: z.optional(z.literal('true')),
})

export const models = {
  list: defineEndpoint('GET /api/kip/models', {
    summary: 'List the models a provider offers for your key, cached for an hour',
    access: 'person',
    query: modelListQuery,
    response: modelList,
  }),
  retiring: defineEndpoint('GET /api/kip/models/ending', {
    summary: 'List agents you can edit whose model is shut down, or will be within 60 days',
    access: 'person',
    response: z.array(retiringModel),
  }),
  voices: defineEndpoint('GET /api/kip/voices', {
    summary: 'List the voices ElevenLabs offers for your key, cached for an hour',
    access: 'person',
    query: z.object({ fresh: z.optional(z.literal('true')) }),
    response: voiceList,
  }),
}
