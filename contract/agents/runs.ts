import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { shownLine } from '../one-line-text.ts'
import { agentClasses } from './agent-words.ts'
import { givenProvider, modelSettings, shownProvider } from './model-settings.ts'
import { toolCall } from './tools.ts'

export const runStatuses = ['running', 'success', 'error', 'stopped', 'interrupted'] as const
export type RunStatus = (typeof runStatuses)[number]
/** `none`: a local server that is called without a key. */
export const keySources = ['personal', 'platform', 'mock', 'none'] as const
export type KeySource = (typeof keySources)[number]
/**
 * Why there is a run: somebody ran the agent, chatted, tried golden questions, said what they want in one line, or had
 * a keeper type read out of a description, a SOLE drafted or explained, frames proposed for a board, or a provider tried.
 */
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
] as const
export type RunOrigin = (typeof runOrigins)[number]

export const usage = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** Of the input: read from the provider's cache, and written to it. Absent where the provider does not say. */
  cached_tokens: z.optional(z.number()),
  cache_write_tokens: z.optional(z.number()),
  cost_usd: z.nullable(z.number()),
  /** True when the provider did not say and the figures were estimated. */
  estimated: z.boolean(),
})
export type Usage = z.infer<typeof usage>

/** Something of a keeper, or an operator's text, that was put before the model. */
export const memoryItem = z.object({
  /** What it is, such as `card`, `sole`, `belief`, `context`. */
  entity: z.string(),
  id: z.string(),
  title: shownLine,
  text: z.string(),
})
export type MemoryItem = z.infer<typeof memoryItem>

/** What an answer can be traced to; the footnotes under it. `n` is the number the answer uses, from 1. */
export const runSource = z.object({
  n: z.number(),
  entity: z.string(),
  id: z.string(),
  title: shownLine,
  /** Where it opens, inside Keeper. */
  href: z.nullable(z.string()),
})
export type RunSource = z.infer<typeof runSource>

/** One row of the execution logs: a run, seen from outside. */
export const agentLog = z.object({
  id: z.string(),
  agent: z.nullable(z.object({ id: z.string(), name: shownLine, slug: z.string(), agent_class: z.enum(agentClasses) })),
  /** The agent's version (its `rev`) that ran. */
  agent_version: z.number(),
  origin: z.enum(runOrigins),
  created_at: z.string(),
  execution_time_ms: z.nullable(z.number()),
  model: shownLine,
  model_provider: shownProvider,
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
  user: z.nullable(z.object({ id: z.string(), name: z.nullable(shownLine), email: z.nullable(z.string()) })),
})
export type AgentLog = z.infer<typeof agentLog>

export const spanKinds = ['agent', 'model', 'tool', 'memory', 'coordinator', 'wait'] as const
export type SpanKind = (typeof spanKinds)[number]

/**
 * One step of a run. Model steps carry what that request used; an agent's or coordinator's step carries the sum of the
 * steps below it, and the root's sum is the run's.
 */
export const runSpan = z.object({
  id: z.string(),
  parent_id: z.nullable(z.string()),
  kind: z.enum(spanKinds),
  name: shownLine,
  /** Of agents and coordinators. */
  agent_slug: z.nullable(z.string()),
  /** Of model steps. */
  provider: z.nullable(shownProvider),
  model: z.nullable(z.string()),
  /** Milliseconds since the run began. */
  started_ms: z.number(),
  /** `null` while under way. */
  ended_ms: z.nullable(z.number()),
  failure: z.nullable(z.string()),
  input: z.unknown(),
  output: z.unknown(),
  /** What the model thought before it answered; `null` where it showed nothing of it. */
  reasoning: z.nullable(z.string()),
  /** What was put before the model in this step. */
  memory: z.array(memoryItem),
  usage: z.nullable(usage),
})
export type RunSpan = z.infer<typeof runSpan>

/** What one run changes of the agent it runs, without saving it. */
export const runOverrides = z.object({
  purpose: z.optional(z.string().check(z.trim(), z.minLength(1, 'Say what the agent is for.'), z.maxLength(8000))),
  model_provider: z.optional(givenProvider),
  model_settings: z.optional(z.partial(modelSettings)),
})
export type RunOverrides = z.infer<typeof runOverrides>

export const runDetail = z.object({
  ...agentLog.shape,
  session_id: z.nullable(z.string()),
  notes: z.array(z.string()),
  /** The whole settings the run used; `null` of other people's runs. */
  model_settings: z.nullable(modelSettings),
  overrides: z.nullable(runOverrides),
  tools: z.array(toolCall),
  sources: z.array(runSource),
  spans: z.array(runSpan),
})
export type RunDetail = z.infer<typeof runDetail>

/** What an elevenlabs run answers with; the bytes come from `runs.audio`. */
export const audioOutput = z.object({
  type: z.literal('audio'),
  mime: z.string(),
  /** Needs the bearer token (or the visitor's cookie), as every call. */
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
  model: shownLine,
  usage,
})
export type RunResult = z.infer<typeof runResult>

/** Characters one message may have; visitors are held shorter by the server (trust.md row 33). */
export const runInput = z
  .string()
  .check(z.trim(), z.minLength(1, 'Write something first.'), z.maxLength(100_000, 'Use at most 100,000 characters.'))

const id = z.string().check(z.maxLength(64))
const runParams = z.object({ runId: id })

/** What a log list can be narrowed by; `from` and `to` are ISO dates or times, `to` not included. */
export const logFilter = {
  agentId: z.optional(id),
  /** `mine`: only those one ran oneself. */
  whose: z.optional(z.literal('mine', 'Leave it out, or say mine.')),
  /** Words in the input, the answer or the error of one's own runs, and in agents' names of all. */
  q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  status: z.optional(z.enum(runStatuses, 'Choose one of: running, success, error, stopped, interrupted.')),
  provider: z.optional(givenProvider),
  from: z.optional(z.string().check(z.maxLength(40))),
  to: z.optional(z.string().check(z.maxLength(40))),
}

export const runs = {
  show: endpoint('GET /api/kip/runs/:runId', {
    summary: 'One run with its spans, also while it is under way',
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
  decide: endpoint('POST /api/kip/runs/:runId/tools/:callId', {
    summary: 'Let a tool that asked do what it wants to do, or not',
    access: 'person',
    params: z.object({ runId: id, callId: z.string().check(z.maxLength(100)) }),
    body: z.object({ allow: z.boolean('Say true or false.') }),
    returns: z.object({ allowed: z.boolean() }),
  }),
  audio: endpoint('GET /api/kip/runs/:runId/audio', {
    summary: 'The recording an elevenlabs run answered with, as bytes',
    access: 'public',
    params: runParams,
    returns: z.unknown(),
  }),
  exportLogs: endpoint('GET /api/kip/logs/export', {
    summary: 'The newest 10,000 execution logs as CSV, under the same rules and filters as the list',
    access: 'person',
    query: z.object(logFilter),
    returns: z.unknown(),
  }),
}

/** Events of a streamed run (architecture.md §4). Exactly one of `done` and `error` comes, and comes last. */
export type RunEvent =
  | { event: 'start'; data: { run_id: string; session_id: string | null } }
  | {
      event: 'snapshot'
      data: { run_id: string; session_id: string | null; response: string; tools: z.infer<typeof toolCall>[] }
    }
  | { event: 'text'; data: { delta: string } }
  /** What the model thinks before it answers; never part of the answer. Visitors are not told. */
  | { event: 'reasoning'; data: { delta: string } }
  /** The call as it is now; the same `id` comes again when its state changes. */
  | { event: 'tool'; data: z.infer<typeof toolCall> }
  /**
   * A step began or ended; `input` and `output` are left out, and where it is told again the texts of its memory. Ours,
   * beside the pinned ones.
   */
  | { event: 'span'; data: RunSpan }
  /** Words of an agent below the one that was asked, as they come; those of the asked one are `text`. Ours. */
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
