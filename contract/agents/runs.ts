import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-fields.ts'
import { displayLine } from '../one-line-text.ts'
import { agentClasses } from './agent-constants.ts'
import { modelSettings, providerInput, providerOutput } from './model-settings.ts'
import { toolCall } from './tools.ts'

export const runStatuses = ['running', 'success', 'error', 'stopped', 'interrupted'] as const
export type RunStatus = (typeof runStatuses)[number]
export const keySources = ['personal', 'platform', 'mock', 'none'] as const
export type KeySource = (typeof keySources)[number]
export const runOrigins = [
  'run',
  'chat',
  'golden',
  'intent',
  'extraction',
  'sole-draft',
  'sole-explanation',
  'board-assist',
  'diagnostics',
  'trial',
] as const
export type RunOrigin = (typeof runOrigins)[number]

export const usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** Input tokens read from and written to the provider's cache; absent if unknown. */
  cached_tokens: z.optional(z.number()),
  cache_write_tokens: z.optional(z.number()),
  cost_usd: z.nullable(z.number()),
  estimated: z.boolean(),
})
export type Usage = z.infer<typeof usage>

export const memoryItem = z.object({
  entity: z.string(),
  id: z.string(),
  title: displayLine,
  text: z.string(),
})
export type MemoryItem = z.infer<typeof memoryItem>

/** A source of an answer, shown as a footnote. `n` is the number in the answer, starting at 1. */
export const runSource = z.object({
  n: z.number(),
  entity: z.string(),
  id: z.string(),
  title: displayLine,
  href: z.nullable(z.string()),
  /** Exact quote, verified against the document; absent if nothing is quoted. */
  quote: z.optional(z.string()),
})
export type RunSource = z.infer<typeof runSource>

/** Every source is shown as a citation, except documents without a verified quote. */
export const isCitation = ({ entity, quote }: RunSource): boolean => entity !== 'document' || quote !== undefined

export const agentLog = z.object({
  id: z.string(),
  agent: z.nullable(
    z.object({ id: z.string(), name: displayLine, slug: z.string(), agent_class: z.enum(agentClasses) }),
  ),
  agent_version: z.number(),
  origin: z.enum(runOrigins),
  created_at: z.string(),
  execution_time_ms: z.nullable(z.number()),
  model: displayLine,
  model_provider: providerOutput,
  /** Empty if the reader can see the run but not its content. */
  input: z.string(),
  output: z.nullable(z.string()),
  error: z.nullable(z.string()),
  error_code: z.nullable(z.string()),
  status: z.enum(runStatuses),
  mock_mode: z.boolean(),
  key_source: z.enum(keySources),
  attempts: z.number(),
  usage,
  user: z.nullable(z.object({ id: z.string(), name: z.nullable(displayLine), email: z.nullable(z.string()) })),
})
export type AgentLog = z.infer<typeof agentLog>

export const spanKinds = ['agent', 'model', 'tool', 'memory', 'coordinator', 'wait'] as const
export type SpanKind = (typeof spanKinds)[number]

/** One step of a run. An agent's or coordinator's usage is the sum of the steps below it. */
export const runSpan = z.object({
  id: z.string(),
  parent_id: z.nullable(z.string()),
  kind: z.enum(spanKinds),
  name: displayLine,
  agent_slug: z.nullable(z.string()),
  provider: z.nullable(providerOutput),
  model: z.nullable(z.string()),
  /** `started_ms` and `ended_ms` count from the start of the run. */
  started_ms: z.number(),
  ended_ms: z.nullable(z.number()),
  failure: z.nullable(z.string()),
  input: z.unknown(),
  output: z.unknown(),
  reasoning: z.nullable(z.string()),
  memory: z.array(memoryItem),
  usage: z.nullable(usage),
})
export type RunSpan = z.infer<typeof runSpan>

export const runOverrides = z.object({
  purpose: z.optional(z.string().check(z.trim(), z.minLength(1, 'Say what the agent is for.'), z.maxLength(8000))),
  model_provider: z.optional(providerInput),
  model_settings: z.optional(z.partial(modelSettings)),
})
export type RunOverrides = z.infer<typeof runOverrides>

export const runDetail = z.object({
  ...agentLog.shape,
  session_id: z.nullable(z.string()),
  notes: z.array(z.string()),
  model_settings: z.nullable(modelSettings),
  overrides: z.nullable(runOverrides),
  /** Local day; the run used memory as of the end of that day. */
  as_of: z.nullable(z.string()),
  tools: z.array(toolCall),
  sources: z.array(runSource),
  spans: z.array(runSpan),
})
export type RunDetail = z.infer<typeof runDetail>

export const audioOutput = z.object({
  type: z.literal('audio'),
  mime: z.string(),
  url: z.string(),
  bytes: z.number(),
})
export type AudioOutput = z.infer<typeof audioOutput>
export const runOutput = z.union([z.object({ type: z.literal('text'), text: z.string() }), audioOutput])
export type RunOutput = z.infer<typeof runOutput>

export const runResult = z.object({
  response: z.string(),
  session_id: z.nullable(z.string()),
  run_id: z.string(),
  output: runOutput,
  mock_mode: z.boolean(),
  model: displayLine,
  usage,
})
export type RunResult = z.infer<typeof runResult>

/** A message to an agent. Visitors have a lower length limit, enforced by the server. */
export const runInput = z
  .string()
  .check(z.trim(), z.minLength(1, 'Write something first.'), z.maxLength(100_000, 'Use at most 100,000 characters.'))

const runParams = z.object({ runId: id })

/** `from` and `to` are ISO dates or times; `to` is exclusive. */
export const logFilter = {
  agentId: z.optional(id),
  whose: z.optional(z.literal('mine', 'Use mine, or omit this filter.')),
  /** Searches the input, answer and error of the caller's own runs, and agent names of all runs. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  status: z.optional(z.enum(runStatuses, 'Choose one of: running, success, error, stopped, interrupted.')),
  provider: z.optional(providerInput),
  from: z.optional(z.string().check(z.maxLength(40))),
  to: z.optional(z.string().check(z.maxLength(40))),
}

/** Visitors follow and stop their own runs too, so these calls are `public`; other people’s runs aren’t found. */
export const runs = {
  show: defineEndpoint('GET /api/kip/runs/:runId', {
    summary: 'Get a run with its spans, even while it is running',
    access: 'person',
    params: runParams,
    response: runDetail,
  }),
  stream: defineEndpoint('GET /api/kip/runs/:runId/stream', {
    summary: 'Follow a run: one event with everything so far, then live events',
    access: 'public',
    params: runParams,
    response: z.unknown(),
    canStream: true,
  }),
  stop: defineEndpoint('POST /api/kip/runs/:runId/stop', {
    summary: 'Stop a run; the text so far is kept',
    access: 'public',
    params: runParams,
    response: z.object({ status: z.enum(runStatuses) }),
  }),
  decide: defineEndpoint('POST /api/kip/runs/:runId/tools/:callId', {
    summary: 'Allow or deny a tool call that is waiting for approval',
    access: 'person',
    params: z.object({ runId: id, callId: z.string().check(z.maxLength(100)) }),
    body: z.object({ allow: z.boolean('Use true or false.') }),
    response: z.object({ allowed: z.boolean() }),
  }),
  audio: defineEndpoint('GET /api/kip/runs/:runId/audio', {
    summary: 'Get the audio of an ElevenLabs run as bytes',
    access: 'public',
    params: runParams,
    response: z.unknown(),
  }),
  exportLogs: defineEndpoint('GET /api/kip/logs/export', {
    summary: 'Export the newest 10,000 execution logs as CSV, with the same permissions and filters as the list',
    access: 'person',
    query: z.object(logFilter),
    response: z.unknown(),
  }),
}

/** Exactly one `done` or `error` arrives, as the last event. */
export type RunEvent =
  | { event: 'start'; data: { run_id: string; session_id: string | null } }
  | {
      event: 'snapshot'
      data: { run_id: string; session_id: string | null; response: string; tools: z.infer<typeof toolCall>[] }
    }
  | { event: 'text'; data: { delta: string } }
  /** The model's reasoning, never part of the answer and not sent to visitors. */
  | { event: 'reasoning'; data: { delta: string } }
  /** The same `id` is sent again when the call's state changes. */
  | { event: 'tool'; data: z.infer<typeof toolCall> }
  /** A step started or ended, without `input` and `output`. */
  | { event: 'span'; data: RunSpan }
  /** Text from a sub-agent; `text` events carry the text of the agent being run. */
  | { event: 'span-text'; data: { span_id: string; delta: string } }
  | { event: 'source'; data: RunSource }
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
        output: RunOutput
        mock_mode: boolean
        model: string
        usage: Usage
        processing_time_ms: number
      }
    }
