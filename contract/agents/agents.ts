import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { cursorQuery, day, emptyResponse, id } from '../keepers/keeper-fields.ts'
import { oneLine } from '../one-line-text.ts'
import { logPageSize } from './agent-constants.ts'
import { agent, agentChanges, newAgent, publicAgent } from './agent-schemas.ts'
import { chatMessage, chatSession } from './chat.ts'
import { agentLog, logFilter, runInput, runOverrides, runResult } from './runs.ts'
import { usageMetrics } from './usage.ts'

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
