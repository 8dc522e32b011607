import * as z from 'zod/mini'
import { maxJsonLength } from '../bounds.ts'
import { defineEndpoint } from '../endpoint.ts'
import { cursorQuery, day, emptyResponse, id } from '../keepers/keeper-fields.ts'
import { displayLine, oneLine } from '../one-line-text.ts'
import {
  agentClasses,
  agentStatuses,
  type ContextScope,
  contextScopes,
  logPageSize,
  visibilities,
} from './agent-constants.ts'
import { chatMessage, chatSession } from './chat.ts'
import { modelSettings, providerInput, providerOutput } from './model-settings.ts'
import { agentLog, logFilter, runInput, runOverrides, runResult } from './runs.ts'
import { usageMetrics } from './usage.ts'

/** `bundle` is for Coordinators; tagline, personality, capabilities, avatar and theme_color are for Leads. */
export const agentConfig = z.looseObject({
  bundle: z.optional(z.array(z.string().check(z.maxLength(63))).check(z.maxLength(50))),
  tagline: z.optional(oneLine({ max: 200 })),
  personality: z.optional(z.string().check(z.maxLength(4000))),
  capabilities: z.optional(
    z.union([
      z.string().check(z.maxLength(4000)),
      z.array(oneLine({ max: 200 })).check(z.maxLength(10_000, 'Use at most 10,000 capabilities.')),
    ]),
  ),
  avatar: z.optional(oneLine({ max: 40 })),
  theme_color: z.optional(z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Use a color like #3b82f6.'))),
  voice_id: z.optional(z.string().check(z.regex(/^[\w-]{0,64}$/, 'Choose a voice from the list.'))),
  /** Stored, so that showing it needs no request to ElevenLabs. */
  voice_name: z.optional(oneLine({ max: 100 })),
  fallback_model: z.optional(
    z.object({
      provider: z.string().check(z.maxLength(40), z.regex(/^[a-z0-9-]+$/, 'Choose a provider.')),
      model: oneLine({ max: 200, min: 1, message: 'Choose or type a model.' }),
    }),
  ),
  /** The custom class it was created with; it behaves like its `agent_class`. */
  class_slug: z.optional(z.string().check(z.maxLength(63))),
})
export type AgentConfig = z.infer<typeof agentConfig>

export const agent = z.object({
  id: z.string(),
  slug: z.string(),
  name: displayLine,
  purpose: z.string(),
  model: displayLine,
  agent_class: z.enum(agentClasses),
  context_scope: z.string(),
  memory_enabled: z.boolean(),
  tools: z.array(z.string()),
  permissions: z.array(z.string()),
  config: agentConfig,
  status: z.enum(agentStatuses),
  model_provider: providerOutput,
  model_settings: modelSettings,
  visibility: z.enum(visibilities),
  created_at: z.string(),
  updated_at: z.string(),
  rev: z.number(),
  owner_id: z.nullable(z.string()),
  may: z.object({ run: z.boolean(), edit: z.boolean(), share: z.boolean(), remove: z.boolean() }),
  visitors_spend_owner_key: z.boolean(),
  /** US dollars per day visitors can spend; `null`: only the platform's limit applies. */
  visitor_daily_usd: z.nullable(z.number()),
})
export type Agent = z.infer<typeof agent>

export const publicAgent = z.object({
  id: z.string(),
  slug: z.string(),
  name: displayLine,
  purpose: z.string(),
  agent_class: z.enum(agentClasses),
  memory_enabled: z.boolean(),
  config: z.object({
    tagline: z.optional(displayLine),
    avatar: z.optional(displayLine),
    theme_color: z.optional(z.string()),
  }),
})
export type PublicAgent = z.infer<typeof publicAgent>

const name = oneLine({ max: 120, min: 1, message: 'Enter a name.' })
const purpose = z
  .string()
  .check(z.trim(), z.minLength(1, 'Say what the agent is for.'), z.maxLength(8000, 'Use at most 8,000 characters.'))
const nameList = z.array(z.string().check(z.trim(), z.maxLength(100))).check(z.maxLength(100))

/** `general` is an alias for the empty scope. */
const contextScope = z.pipe(
  z.enum([...contextScopes, 'general'], 'Choose one of: General, user_input, keeper, codebase, platform_wide, system.'),
  z.transform((scope): ContextScope => (scope === 'general' ? '' : scope)),
)

const maxConfigLength = 32_000
/** Bounds the whole config, because every viewer receives it and it can have unknown keys. */
const configInput = agentConfig.check(maxJsonLength(maxConfigLength))

const agentFields = {
  name,
  slug: z.optional(z.string().check(z.trim(), z.maxLength(63, 'Use at most 63 characters.'))),
  purpose,
  agent_class: z.optional(z.enum(agentClasses, 'Choose one of: Standard, Coordinator, Lead.')),
  context_scope: z.optional(contextScope),
  memory_enabled: z.optional(z.boolean()),
  tools: z.optional(nameList),
  permissions: z.optional(nameList),
  config: z.optional(configInput),
  status: z.optional(z.enum(['ready', 'error'], 'Choose one of: ready, error.')),
  model_provider: z.optional(providerInput),
  model: z.optional(modelSettings.shape.model),
  model_settings: z.optional(z.partial(modelSettings)),
  visibility: z.optional(z.enum(visibilities, 'Choose one of: private, public, shared.')),
  visitors_spend_owner_key: z.optional(z.boolean()),
  visitor_daily_usd: z.optional(
    z.nullable(
      z
        .number('Enter an amount in dollars.')
        .check(z.gte(0, 'Use an amount of 0 or more.'), z.lte(10_000, 'Use at most 10,000.')),
    ),
  ),
}
export const newAgent = z.object(agentFields)
export type NewAgent = z.input<typeof newAgent>
export const agentChanges = z.object({
  ...agentFields,
  id,
  name: z.optional(name),
  purpose: z.optional(purpose),
  golden_run_id: z.optional(z.nullable(id)),
})

const wholeNumber = (message: string) => z.coerce.number(message).check(z.int(message), z.gte(1, message))
const page = z._default(wholeNumber('Use a whole number, 1 or more.'), 1)
const pageSizeMessage = 'Use a whole number from 1 to 100.'
const pageSize = z._default(wholeNumber(pageSizeMessage).check(z.lte(100, pageSizeMessage)), logPageSize)

export const agentStats = z.extend(
  z.pick(usageMetrics, {
    runs: true,
    errors: true,
    mock_runs: true,
    p50_ms: true,
    p95_ms: true,
    input_tokens: true,
    output_tokens: true,
    cost_usd: true,
  }),
  { last_run_at: z.nullable(z.string()) },
)

const agentsPath = '/api/kip/agents' as const

export const agents = {
  list: defineEndpoint(`GET ${agentsPath}`, {
    summary:
      'List your agents, those shared with you and public ones, newest first; 1,000 per page, with all your own on the first page',
    access: 'person',
    query: z.object(cursorQuery),
    response: z.array(agent),
  }),
  byId: defineEndpoint(`GET ${agentsPath}`, {
    summary: 'Get an agent by ID or slug',
    access: 'person',
    match: { query: { id: '*' } },
    query: z.object({ id }),
    response: agent,
  }),
  bySlug: defineEndpoint(`GET ${agentsPath}`, {
    summary: 'Get an agent by slug; visitors get only public Leads, with the details their page shows',
    access: 'public',
    match: { query: { slug: '*' } },
    query: z.object({ slug: id }),
    response: z.union([agent, publicAgent]),
  }),
  logs: defineEndpoint(`GET ${agentsPath}`, {
    summary: 'List execution logs, newest first',
    access: 'person',
    match: { query: { logs: 'true' } },
    query: z.object({ page, pageSize, ...logFilter }),
    response: z.object({ logs: z.array(agentLog), totalPages: z.number(), total: z.number() }),
  }),
  stats: defineEndpoint(`GET ${agentsPath}`, {
    summary: 'Get statistics about an agent’s runs',
    access: 'person',
    match: { query: { stats: 'true' } },
    query: z.object({ agentId: z.optional(id) }),
    response: agentStats,
  }),
  lastRuns: defineEndpoint(`GET ${agentsPath}`, {
    summary: 'List when you last ran each agent, from your newest 1,000 runs',
    access: 'person',
    match: { query: { lastRuns: 'true' } },
    response: z.array(z.object({ agent_id: z.string(), last_run_at: z.string() })),
  }),
  sessions: defineEndpoint(`GET ${agentsPath}`, {
    summary: 'List your chat sessions, newest first',
    access: 'public',
    match: { query: { sessions: 'true' } },
    query: z.object({ page, pageSize, agentId: z.optional(id) }),
    response: z.object({ sessions: z.array(chatSession), totalPages: z.number() }),
  }),
  messages: defineEndpoint(`GET ${agentsPath}`, {
    summary: 'List the messages in your chat session; with `agentId`, only if the session is with that agent',
    access: 'public',
    match: { query: { messages: 'true' } },
    query: z.object({ sessionId: id, agentId: z.optional(id) }),
    response: z.array(chatMessage),
  }),
  create: defineEndpoint(`POST ${agentsPath}`, {
    summary: 'Create an agent',
    access: 'person',
    body: newAgent,
    response: agent,
    supportsIdempotencyKey: true,
  }),
  run: defineEndpoint(`POST ${agentsPath}`, {
    summary: 'Run an agent; streams with Accept: text/event-stream',
    access: 'public',
    match: { body: { action: 'run' } },
    body: z.object({
      agentId: id,
      input: runInput,
      sessionId: z.optional(z.nullable(id)),
      /** ID of an answer in this session to generate again as a sibling; `input` is then ignored. */
      regenerateOf: z.optional(z.nullable(id)),
      /** ID of a question in this session that `input` rephrases as a sibling. */
      editOf: z.optional(z.nullable(id)),
      /** Overrides for this run only, for editors of the agent, never in a session. */
      overrides: z.optional(z.nullable(runOverrides)),
      /** A local day: the agent gets only entries you had written and approved by its end. */
      asOf: z.optional(z.nullable(day)),
      /** Set by the checks of /debug, to keep the run out of the person's chats. */
      origin: z.optional(z.literal('diagnostics')),
    }),
    response: runResult,
    canStream: true,
  }),
  tryOut: defineEndpoint(`POST ${agentsPath}`, {
    summary: 'Run an agent that isn’t saved, as it would run once created; streams with Accept: text/event-stream',
    access: 'person',
    match: { body: { action: 'try' } },
    body: z.object({ agent: newAgent, input: runInput }),
    response: runResult,
    canStream: true,
  }),
  createSession: defineEndpoint(`POST ${agentsPath}`, {
    summary: 'Start a chat session with an agent',
    access: 'public',
    match: { body: { action: 'createSession' } },
    body: z.object({ agentId: id, sessionName: z.optional(z.nullable(oneLine({ max: 120 }))) }),
    response: chatSession,
    supportsIdempotencyKey: true,
  }),
  update: defineEndpoint(`PUT ${agentsPath}`, {
    summary: 'Update an agent',
    access: 'person',
    body: agentChanges,
    response: agent,
  }),
  remove: defineEndpoint(`DELETE ${agentsPath}`, {
    summary: 'Delete an agent and its data',
    access: 'person',
    query: z.object({ id: z.optional(id) }),
    body: z.object({ id: z.optional(id) }),
    response: emptyResponse,
  }),
}
