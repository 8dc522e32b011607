import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownLine } from '../one-line-text.ts'
import { givenProvider, shownProvider } from './model-settings.ts'
import { keySources } from './runs.ts'

export const modelStatuses = ['available', 'deprecated', 'shut-down'] as const

/** What is known of a model: from its provider's list, else from the catalog. `null`: not known. */
export const modelDetails = z.object({
  model: z.string(),
  status: z.enum(modelStatuses),
  /** `2027-01-14`: the day it is, or was, shut down. */
  shutdown_date: z.nullable(z.string()),
  /** The model to use in its place, where this one ends. */
  replacement: z.nullable(z.string()),
  /** Tokens read and written together. */
  window: z.nullable(z.number()),
  /** US dollars for a million tokens. */
  price: z.nullable(
    z.object({ input_usd: z.number(), cached_input_usd: z.nullable(z.number()), output_usd: z.number() }),
  ),
})
export type ModelDetails = z.infer<typeof modelDetails>

/** An agent the asking person may edit whose model is shut down, or will be within 60 days. */
export const endingModel = z.object({
  agent_id: z.string(),
  agent_name: shownLine,
  rev: z.number(),
  provider: z.string(),
  model: shownLine,
  status: z.enum(modelStatuses),
  shutdown_date: z.nullable(z.string()),
  replacement: z.nullable(z.string()),
  /** It has golden questions that the asking person may have answered by other models before a switch. */
  can_compare: z.boolean(),
})
export type EndingModel = z.infer<typeof endingModel>

export const modelList = z.object({
  provider: shownProvider,
  models: z.array(z.string()),
  /** Of the same models, in the same order. */
  details: z.array(modelDetails),
  /** The one a new agent begins with. */
  default_model: z.string(),
  /** The best models to change to, at most three, first choice first; none of them ends. */
  recommended: z.array(z.string()),
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
  ending: endpoint('GET /api/kip/models/ending', {
    summary: 'Agents the asking person may edit whose model is shut down, or will be within 60 days',
    access: 'person',
    returns: z.array(endingModel),
  }),
  voices: endpoint('GET /api/kip/voices', {
    summary: 'The voices elevenlabs offers to the asking person’s key, cached for an hour',
    access: 'person',
    query: z.object({ fresh: z.optional(z.literal('true')) }),
    returns: voiceList,
  }),
}
