import * as z from 'zod/mini'
import { maxJsonLength } from '../bounds.ts'
import { endpoint } from '../endpoint.ts'
import { oneLine, shownLine } from '../one-line-text.ts'
import {
  agentClasses,
  agentStatuses,
  type ContextScope,
  contextScopes,
  logPageSize,
  visibilities,
} from './agent-words.ts'
import { chatMessage, chatSession } from './chat.ts'
import { givenProvider, modelSettings, shownProvider } from './model-settings.ts'
import { agentLog, logFilter, runInput, runOverrides, runResult } from './runs.ts'
import { usageFigures } from './usage.ts'

const id = z.string().check(z.maxLength(64))

/** Settings of a class: `bundle` for Coordinators; tagline, personality, capabilities, avatar, theme_color for Leads. */
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
  theme_color: z.optional(z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Use a colour like #3b82f6.'))),
  /** The elevenlabs voice that speaks. */
  voice_id: z.optional(z.string().check(z.regex(/^[\w-]{0,64}$/, 'Choose a voice of the list.'))),
  /** What that voice is called, so that nobody has to ask for it again. */
  voice_name: z.optional(oneLine({ max: 100 })),
  /** Asked in the place of the agent's own model while that one is unavailable. */
  fallback_model: z.optional(
    z.object({
      provider: z.string().check(z.maxLength(40), z.regex(/^[a-z0-9-]+$/, 'Choose a provider.')),
      model: oneLine({ max: 200, min: 1, message: 'Choose or type a model.' }),
    }),
  ),
  /** The made class it began with; it behaves as its `agent_class`. */
  class_slug: z.optional(z.string().check(z.maxLength(63))),
})
export type AgentConfig = z.infer<typeof agentConfig>

export const agent = z.object({
  id: z.string(),
  slug: z.string(),
  name: shownLine,
  purpose: z.string(),
  model: shownLine,
  agent_class: z.enum(agentClasses),
  context_scope: z.string(),
  memory_enabled: z.boolean(),
  tools: z.array(z.string()),
  permissions: z.array(z.string()),
  config: agentConfig,
  status: z.enum(agentStatuses),
  model_provider: shownProvider,
  model_settings: modelSettings,
  visibility: z.enum(visibilities),
  created_at: z.string(),
  updated_at: z.string(),
  rev: z.number(),
  /** `null` for the agents that come with Keeper. */
  owner_id: z.nullable(z.string()),
  /** What the asking person may do with it, from the same rules the server enforces. */
  may: z.object({ run: z.boolean(), edit: z.boolean(), share: z.boolean(), remove: z.boolean() }),
  /** Visitors' chats may spend the owner's personal key, up to the daily limit. */
  visitors_spend_owner_key: z.boolean(),
  /** US dollars a day that visitors may spend on it; `null`: only the platform's limit counts. */
  visitor_daily_usd: z.nullable(z.number()),
})
export type Agent = z.infer<typeof agent>

/** All that a visitor learns about a public Lead agent (trust.md row 11). */
export const publicAgent = z.object({
  id: z.string(),
  slug: z.string(),
  name: shownLine,
  /** Empty where there is a tagline. */
  purpose: z.string(),
  agent_class: z.enum(agentClasses),
  memory_enabled: z.boolean(),
  config: z.object({
    tagline: z.optional(shownLine),
    avatar: z.optional(shownLine),
    theme_color: z.optional(z.string()),
  }),
})
export type PublicAgent = z.infer<typeof publicAgent>

const name = oneLine({ max: 120, min: 1, message: 'Enter a name.' })
const purpose = z
  .string()
  .check(z.trim(), z.minLength(1, 'Say what the agent is for.'), z.maxLength(8000, 'Use at most 8,000 characters.'))
const nameList = z.array(z.string().check(z.trim(), z.maxLength(100))).check(z.maxLength(100))

/** `general` is the spelled-out empty scope (answers.md). */
const contextScope = z.pipe(
  z.enum([...contextScopes, 'general'], 'Choose one of: General, user_input, keeper, codebase, platform_wide, system.'),
  z.transform((scope): ContextScope => (scope === 'general' ? '' : scope)),
)

const maxConfigLength = 32_000
/** Everybody who sees an agent is sent its whole config, so what else stands in it has an end too. */
const givenConfig = agentConfig.check(maxJsonLength(maxConfigLength))

const agentFields = {
  name,
  slug: z.optional(z.string().check(z.trim(), z.maxLength(63, 'Use at most 63 characters.'))),
  purpose,
  agent_class: z.optional(z.enum(agentClasses, 'Choose one of: Standard, Coordinator, Lead.')),
  context_scope: z.optional(contextScope),
  memory_enabled: z.optional(z.boolean()),
  tools: z.optional(nameList),
  permissions: z.optional(nameList),
  config: z.optional(givenConfig),
  /** Who may edit it says that it is in error, or that it is ready again. What else there is, only the server says. */
  status: z.optional(z.enum(['ready', 'error'], 'Choose one of: ready, error.')),
  model_provider: z.optional(givenProvider),
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
  /** The golden run that tried these changes before they were published. */
  golden_run_id: z.optional(z.nullable(id)),
})

const listQuery = {
  cursor: z.optional(z.string().check(z.maxLength(300))),
  limit: z.optional(
    z.coerce
      .number('Ask for a whole number.')
      .check(
        z.int('Ask for a whole number.'),
        z.gte(1, 'Ask for at least 1.'),
        z.lte(100, 'Ask for at most 100 at once.'),
      ),
  ),
}

const wholePage = 'Use a whole number, 1 or more.'
const rightSize = 'Use a whole number from 1 to 100.'
const page = z._default(z.coerce.number(wholePage).check(z.int(wholePage), z.gte(1, wholePage)), 1)
const pageSize = z._default(
  z.coerce.number(rightSize).check(z.int(rightSize), z.gte(1, rightSize), z.lte(100, rightSize)),
  logPageSize,
)

export const agentStats = z.extend(
  z.pick(usageFigures, {
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

const address = '/api/kip/agents' as const

export const agents = {
  list: endpoint(`GET ${address}`, {
    summary:
      'One’s own agents, those shared with one, and the public ones, newest first; 1,000 at once, and among the first all of one’s own',
    access: 'person',
    query: z.object(listQuery),
    returns: z.array(agent),
  }),
  byId: endpoint(`GET ${address}`, {
    summary: 'One agent by id or slug',
    access: 'person',
    when: { query: { id: '*' } },
    query: z.object({ id }),
    returns: agent,
  }),
  bySlug: endpoint(`GET ${address}`, {
    summary: 'One agent by slug; visitors: a public Lead, and of it only what its page shows',
    access: 'public',
    when: { query: { slug: '*' } },
    query: z.object({ slug: id }),
    returns: z.union([agent, publicAgent]),
  }),
  logs: endpoint(`GET ${address}`, {
    summary: 'Execution logs, newest first',
    access: 'person',
    when: { query: { logs: 'true' } },
    query: z.object({ page, pageSize, ...logFilter }),
    returns: z.object({ logs: z.array(agentLog), totalPages: z.number(), total: z.number() }),
  }),
  stats: endpoint(`GET ${address}`, {
    summary: 'Figures over an agent’s runs',
    access: 'person',
    when: { query: { stats: 'true' } },
    query: z.object({ agentId: z.optional(id) }),
    returns: agentStats,
  }),
  sessions: endpoint(`GET ${address}`, {
    summary: 'One’s own chat sessions, newest first',
    access: 'public',
    when: { query: { sessions: 'true' } },
    query: z.object({ page, pageSize, agentId: z.optional(id) }),
    returns: z.object({ sessions: z.array(chatSession), totalPages: z.number() }),
  }),
  messages: endpoint(`GET ${address}`, {
    summary: 'The messages of one’s own chat session; with an agent only of a session with that agent',
    access: 'public',
    when: { query: { messages: 'true' } },
    query: z.object({ sessionId: id, agentId: z.optional(id) }),
    returns: z.array(chatMessage),
  }),
  create: endpoint(`POST ${address}`, {
    summary: 'Create an agent',
    access: 'person',
    body: newAgent,
    returns: agent,
    creates: true,
  }),
  run: endpoint(`POST ${address}`, {
    summary: 'Run an agent; streams when asked by Accept: text/event-stream',
    access: 'public',
    when: { body: { action: 'run' } },
    body: z.object({
      agentId: id,
      input: runInput,
      sessionId: z.optional(z.nullable(id)),
      /** The id of an answer in this session to be given once more, beside it; `input` is then not read. */
      regenerateOf: z.optional(z.nullable(id)),
      /** The id of a question in this session that `input` puts another way, beside it. */
      editOf: z.optional(z.nullable(id)),
      /** Runs it changed, without saving; for who may edit it, and never in a session. */
      overrides: z.optional(z.nullable(runOverrides)),
      /** Said by the checks of /debug, so that the run is no chat of its person's. */
      origin: z.optional(z.literal('diagnostics')),
    }),
    returns: runResult,
    streams: true,
  }),
  createSession: endpoint(`POST ${address}`, {
    summary: 'Begin a chat session with an agent',
    access: 'public',
    when: { body: { action: 'createSession' } },
    body: z.object({ agentId: id, sessionName: z.optional(z.nullable(oneLine({ max: 120 }))) }),
    returns: chatSession,
    creates: true,
  }),
  update: endpoint(`PUT ${address}`, {
    summary: 'Change an agent',
    access: 'person',
    body: agentChanges,
    returns: agent,
  }),
  remove: endpoint(`DELETE ${address}`, {
    summary: 'Delete an agent and its data',
    access: 'person',
    query: z.object({ id: z.optional(id) }),
    body: z.object({ id: z.optional(id) }),
    returns: z.nullable(z.object({})),
  }),
}
