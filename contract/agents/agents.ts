import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { modelSettings, providers } from './model-settings.ts'

export const agentClasses = ['Standard', 'Coordinator', 'Lead', 'Persona'] as const
export type AgentClass = (typeof agentClasses)[number]
export const agentStatuses = ['ready', 'in-progress', 'error'] as const
export type AgentStatus = (typeof agentStatuses)[number]
export const visibilities = ['private', 'public', 'shared'] as const
export type Visibility = (typeof visibilities)[number]
/** An empty scope is shown as General. */
export const contextScopes = ['', 'user_input', 'keeper', 'codebase', 'platform_wide', 'system'] as const
export type ContextScope = (typeof contextScopes)[number]

export const defaultThemeColor = '#3b82f6'
export const defaultAvatar = '🤖'
export const logPageSize = 20
export const inputPreviewLength = 100

const id = z.string().check(z.maxLength(64))

/** Settings of a class: `bundle` for Coordinators; tagline, personality, capabilities, avatar, theme_color for Leads. */
export const agentConfig = z.looseObject({
  bundle: z.optional(z.array(z.string().check(z.maxLength(63))).check(z.maxLength(50))),
  tagline: z.optional(z.string().check(z.maxLength(200))),
  personality: z.optional(z.string().check(z.maxLength(4000))),
  capabilities: z.optional(z.union([z.string().check(z.maxLength(4000)), z.array(z.string().check(z.maxLength(200)))])),
  avatar: z.optional(z.string().check(z.maxLength(40))),
  theme_color: z.optional(z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Use a colour like #3b82f6.'))),
})
export type AgentConfig = z.infer<typeof agentConfig>

export const agent = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  purpose: z.string(),
  model: z.string(),
  agent_class: z.enum(agentClasses),
  context_scope: z.string(),
  memory_enabled: z.boolean(),
  tools: z.array(z.string()),
  permissions: z.array(z.string()),
  config: agentConfig,
  status: z.enum(agentStatuses),
  model_provider: z.enum(providers),
  model_settings: modelSettings,
  visibility: z.enum(visibilities),
  created_at: z.string(),
  updated_at: z.string(),
  rev: z.number(),
  /** `null` for the agents that come with Keeper. */
  owner_id: z.nullable(z.string()),
  /** What the asking person may do with it, from the same rules the server enforces. */
  may: z.object({ run: z.boolean(), edit: z.boolean(), remove: z.boolean() }),
})
export type Agent = z.infer<typeof agent>

/** All that a visitor learns about a public Lead agent (trust.md row 11). */
export const publicAgent = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  purpose: z.string(),
  agent_class: z.enum(agentClasses),
  memory_enabled: z.boolean(),
  config: z.object({
    tagline: z.optional(z.string()),
    avatar: z.optional(z.string()),
    theme_color: z.optional(z.string()),
  }),
})
export type PublicAgent = z.infer<typeof publicAgent>

const name = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(120, 'Use at most 120 characters.'))
const purpose = z
  .string()
  .check(z.trim(), z.minLength(1, 'Say what the agent is for.'), z.maxLength(8000, 'Use at most 8,000 characters.'))
const nameList = z.array(z.string().check(z.trim(), z.maxLength(100))).check(z.maxLength(100))

/** `general` is the spelled-out empty scope (answers.md). */
const contextScope = z.pipe(
  z.enum([...contextScopes, 'general'], 'Choose one of: General, user_input, keeper, codebase, platform_wide, system.'),
  z.transform((scope): ContextScope => (scope === 'general' ? '' : scope)),
)

const agentFields = {
  name,
  slug: z.optional(z.string().check(z.trim(), z.maxLength(63, 'Use at most 63 characters.'))),
  purpose,
  agent_class: z.optional(z.enum(agentClasses, 'Choose one of: Standard, Coordinator, Lead.')),
  context_scope: z.optional(contextScope),
  memory_enabled: z.optional(z.boolean()),
  tools: z.optional(nameList),
  permissions: z.optional(nameList),
  config: z.optional(agentConfig),
  status: z.optional(z.enum(agentStatuses)),
  model_provider: z.optional(z.enum(providers, 'Choose one of: openai, anthropic, together, elevenlabs.')),
  model: z.optional(modelSettings.shape.model),
  model_settings: z.optional(z.partial(modelSettings)),
  visibility: z.optional(z.enum(visibilities, 'Choose one of: private, public, shared.')),
}
export const newAgent = z.object(agentFields)
export type NewAgent = z.input<typeof newAgent>
export const agentChanges = z.object({ ...agentFields, id, name: z.optional(name), purpose: z.optional(purpose) })

const page = z._default(z.coerce.number().check(z.int(), z.gte(1)), 1)
const pageSize = z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), logPageSize)

export const runStatuses = ['running', 'success', 'error', 'stopped', 'interrupted'] as const
export type RunStatus = (typeof runStatuses)[number]
export const keySources = ['personal', 'platform', 'mock', 'none'] as const

export const usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_usd: z.nullable(z.number()),
  /** True when the provider did not say and the figures were estimated. */
  estimated: z.boolean(),
})
export type Usage = z.infer<typeof usage>

/** One row of the execution logs: a run, seen from outside. */
export const agentLog = z.object({
  id: z.string(),
  agent: z.nullable(
    z.object({ id: z.string(), name: z.string(), slug: z.string(), agent_class: z.enum(agentClasses) }),
  ),
  created_at: z.string(),
  execution_time_ms: z.nullable(z.number()),
  model: z.string(),
  model_provider: z.enum(providers),
  /** Empty where the reader may see that somebody ran the agent but not what was said. */
  input: z.string(),
  output: z.nullable(z.string()),
  error: z.nullable(z.string()),
  error_code: z.nullable(z.string()),
  status: z.enum(runStatuses),
  mock_mode: z.boolean(),
  key_source: z.enum(keySources),
  attempts: z.number(),
  usage,
  user: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()), email: z.nullable(z.string()) })),
})
export type AgentLog = z.infer<typeof agentLog>

export const runSpan = z.object({
  id: z.string(),
  parent_id: z.nullable(z.string()),
  kind: z.enum(['agent', 'model', 'tool', 'memory', 'coordinator', 'wait']),
  name: z.string(),
  /** Milliseconds since the run began. */
  started_ms: z.number(),
  ended_ms: z.nullable(z.number()),
  failure: z.nullable(z.string()),
  input: z.unknown(),
  output: z.unknown(),
  usage: z.nullable(usage),
})
export type RunSpan = z.infer<typeof runSpan>

export const runDetail = z.object({
  ...agentLog.shape,
  session_id: z.nullable(z.string()),
  notes: z.array(z.string()),
  spans: z.array(runSpan),
})
export type RunDetail = z.infer<typeof runDetail>

export const chatSession = z.object({
  id: z.string(),
  agent: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
  user: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  session_name: z.string(),
  message_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type ChatSession = z.infer<typeof chatSession>

export const chatMessage = z.object({
  id: z.string(),
  sender: z.enum(['user', 'agent']),
  content: z.string(),
  created_at: z.string(),
  run_id: z.nullable(z.string()),
  /** `running` while the answer is still being written. */
  status: z.enum(runStatuses),
  mock_mode: z.boolean(),
})
export type ChatMessage = z.infer<typeof chatMessage>

export const runResult = z.object({
  response: z.string(),
  session_id: z.nullable(z.string()),
  run_id: z.string(),
  output: z.unknown(),
  mock_mode: z.boolean(),
  model: z.string(),
  usage,
})
export type RunResult = z.infer<typeof runResult>

export const agentStats = z.object({
  runs: z.number(),
  errors: z.number(),
  mock_runs: z.number(),
  p50_ms: z.nullable(z.number()),
  p95_ms: z.nullable(z.number()),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cost_usd: z.number(),
  last_run_at: z.nullable(z.string()),
})

/** Characters one message may have; visitors are held shorter by the server (trust.md row 33). */
export const runInput = z
  .string()
  .check(z.trim(), z.minLength(1, 'Write something first.'), z.maxLength(100_000, 'Use at most 100,000 characters.'))

const address = '/api/kip/agents' as const

export const agents = {
  list: endpoint(`GET ${address}`, {
    summary: 'One’s own agents, those shared with one, and the public ones',
    access: 'person',
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
    summary: 'A lead agent by slug, as visitors see it',
    access: 'public',
    when: { query: { slug: '*' } },
    query: z.object({ slug: id }),
    returns: publicAgent,
  }),
  logs: endpoint(`GET ${address}`, {
    summary: 'Execution logs, newest first',
    access: 'person',
    when: { query: { logs: 'true' } },
    query: z.object({ page, pageSize, agentId: z.optional(id) }),
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
    summary: 'The messages of one’s own chat session',
    access: 'public',
    when: { query: { messages: 'true' } },
    query: z.object({ sessionId: id }),
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
    }),
    returns: runResult,
    streams: true,
  }),
  createSession: endpoint(`POST ${address}`, {
    summary: 'Begin a chat session with an agent',
    access: 'public',
    when: { body: { action: 'createSession' } },
    body: z.object({ agentId: id, sessionName: z.optional(z.nullable(z.string().check(z.trim(), z.maxLength(120)))) }),
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
  workspace: endpoint('GET /api/agents/:agentId', {
    summary: 'An agent with the frames of its workspace',
    access: 'person',
    params: z.object({ agentId: id }),
    returns: z.object({ agent, frames: z.array(z.unknown()) }),
  }),
}

const runParams = z.object({ runId: id })

export const runs = {
  show: endpoint('GET /api/kip/runs/:runId', {
    summary: 'One run with its spans',
    access: 'person',
    params: runParams,
    returns: runDetail,
  }),
  stream: endpoint('GET /api/kip/runs/:runId/stream', {
    summary: 'Follow a run: everything so far in one event, then live',
    access: 'public',
    params: runParams,
    returns: z.unknown(),
    streams: true,
  }),
  stop: endpoint('POST /api/kip/runs/:runId/stop', {
    summary: 'Stop a run; the text so far is kept',
    access: 'public',
    params: runParams,
    returns: z.object({ status: z.enum(runStatuses) }),
  }),
}

/** Events of a streamed run (architecture.md §4). Exactly one of `done` and `error` comes, and comes last. */
export type RunEvent =
  | { event: 'start'; data: { run_id: string; session_id: string | null } }
  | { event: 'snapshot'; data: { run_id: string; session_id: string | null; response: string; tools: unknown[] } }
  | { event: 'text'; data: { delta: string } }
  | { event: 'tool'; data: unknown }
  | { event: 'source'; data: unknown }
  | { event: 'usage'; data: Usage }
  | {
      event: 'error'
      data: { code: string; message: string; run_id: string; processing_time_ms: number; response: string }
    }
  | {
      event: 'done'
      data: {
        response: string
        run_id: string
        session_id: string | null
        mock_mode: boolean
        model: string
        usage: Usage
        processing_time_ms: number
      }
    }
