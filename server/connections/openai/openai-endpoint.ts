import { requireRunnableAgent } from '#server/agents/agent-access.ts'
import type { AgentRow } from '#server/agents/agent-view.ts'
import { listAgents } from '#server/agents/list-agents.ts'
import type { LiveRun } from '#server/agents/runs/execute/run-registry.ts'
import { waitForReply } from '#server/agents/runs/follow-run.ts'
import { getBearerToken } from '#server/http/bearer-token.ts'
import { getClientAddress, type NodeBindings } from '#server/http/client-address.ts'
import { createEventStream, type EventSink, isEventStream } from '#server/http/event-stream.ts'
import { refuseForeignOrigin } from '#server/http/foreign-origin.ts'
import { Problem } from '#server/http/problem.ts'
import { createRetryAfterHeader } from '#server/http/problem-response.ts'
import { readJsonBody } from '#server/http/request-body.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import { quoteLines } from '#server/models/data-in-prompts.ts'
import type { Services } from '#server/services.ts'
import type { ConnectedPerson } from '../consent.ts'
import { startProgramRun } from '../program-runs.ts'
import {
  answerTitleOrTagPrompt,
  type ChatRequest,
  chatRequest,
  splitConversation,
  toFingerprint,
} from './chat-request.ts'

const bodyLimits = { maxBytes: 4 * 1024 * 1024, maxKeys: 20_000 }
const maxModels = 100
/** Holds the ID of the chat; without it, the earlier messages in the request identify the chat. */
const sessionHeader = 'x-keeper-session'

type Usage = { input_tokens: number; output_tokens: number }
interface Completion {
  id: string
  created: number
  model: string
}

const respondJson = (data: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(data), { status, headers: { ...apiHeaders, ...headers } })

const toModel = (agent: { slug: string }, createdAt: number) => ({
  id: agent.slug,
  object: 'model',
  created: Math.floor(createdAt / 1000),
  owned_by: 'keeper',
})

/** Each agent that the person can run is a model. */
export async function answerModels(services: Services, request: Request): Promise<Response> {
  return withOpenAiErrors(services, async () => {
    const person = await identify(services, request)
    const { agents } = await listAgents(services, person, { limit: maxModels })
    const data = agents.filter(({ may }) => may.run).map((agent) => toModel(agent, Date.parse(agent.created_at)))
    return respondJson({ object: 'list', data })
  })
}

export async function answerModel(services: Services, request: Request, slug: string): Promise<Response> {
  return withOpenAiErrors(services, async () => {
    const agent = await requireRunnableAgent(services, await identify(services, request), slug)
    return respondJson(toModel(agent, agent.created_at))
  })
}

export async function answerChat(
  services: Services,
  request: Request,
  bindings: NodeBindings | undefined,
): Promise<Response> {
  return withOpenAiErrors(services, async () => {
    refuseForeignOrigin(services, request)
    const person = await identify(services, request)
    const body = parseChat(await readJsonBody(request, bindings?.incoming, bodyLimits))
    const { question, previous } = requireConversation(body)
    const agent = await findAgent(services, person, body.model)
    const completion = {
      id: `chatcmpl-${services.newId()}`,
      created: Math.floor(services.now().getTime() / 1000),
      model: agent.slug,
    }
    const cannedAnswer = answerTitleOrTagPrompt(question)
    if (cannedAnswer !== undefined)
      return body.stream === true
        ? toStream(completion, cannedAnswer)
        : respondJson(toCompletion(completion, cannedAnswer, emptyUsage))
    const sessionId =
      request.headers.get(sessionHeader) ??
      (await findSession(services, toFingerprint(person.id, agent.id, previous), previous))
    const input = sessionId === null ? withEarlierTurns(question, previous) : question
    const params = { input, sessionId, origin: 'chat' as const }
    const runner = { person, visitor: null }
    const rememberConversation = (run: LiveRun, answer: string) =>
      saveFingerprint(
        services,
        run.sessionId,
        toFingerprint(person.id, agent.id, [...previous, `user: ${question.trim()}`, `assistant: ${answer.trim()}`]),
      )
    if (body.stream !== true) {
      const run = await startProgramRun(services, runner, agent, { ...params, stream: false })
      const { data } = await waitForReply(run)
      await rememberConversation(run, data.response)
      return respondJson(toCompletion(completion, data.response, data.usage), 200, toSessionHeader(run))
    }
    const address = getClientAddress(request, bindings, services.settings.trustedProxies)
    const slot = services.streams.acquire('answers', { ...runner, address })
    try {
      const run = await startProgramRun(services, runner, agent, { ...params, stream: true })
      const response = createEventStream(slot, (sink) =>
        streamCompletion(run, sink, completion, {
          includesUsage: body.stream_options?.include_usage === true,
          onAnswer: (answer) => void rememberConversation(run, answer),
        }),
      )
      for (const [name, value] of Object.entries(toSessionHeader(run))) response.headers.set(name, value)
      if (isEventStream(response)) bindings?.onStreamStart?.()
      return response
    } catch (error) {
      slot.release()
      throw error
    }
  })
}

const toSessionHeader = ({ sessionId }: LiveRun): Record<string, string> =>
  sessionId === null ? {} : { [sessionHeader]: sessionId }

const emptyUsage: Usage = { input_tokens: 0, output_tokens: 0 }

const toUsage = ({ input_tokens, output_tokens }: Usage) => ({
  prompt_tokens: input_tokens,
  completion_tokens: output_tokens,
  total_tokens: input_tokens + output_tokens,
})

const toCompletion = (completion: Completion, content: string, usage: Usage) => ({
  ...completion,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: toUsage(usage),
})

const toChunk = (completion: Completion, delta: object, finishReason: string | null = null) => ({
  ...completion,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finishReason }],
})

/** Sends a complete answer to a client that reads a stream. */
function toStream(completion: Completion, content: string): Response {
  const chunks = [toChunk(completion, { role: 'assistant', content }), toChunk(completion, {}, 'stop')]
  const lines = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
  const headers = { ...apiHeaders, 'content-type': 'text/event-stream' }
  return new Response(lines.map((line) => `data: ${line}\n\n`).join(''), { headers })
}

function streamCompletion(
  run: LiveRun,
  sink: EventSink,
  completion: Completion,
  { includesUsage, onAnswer }: { includesUsage: boolean; onAnswer: (answer: string) => void },
): () => void {
  const send = (data: object) => sink.sendText(JSON.stringify(data))
  const sendChunk = (delta: object, finishReason: string | null = null) =>
    send(toChunk(completion, delta, finishReason))
  sendChunk({ role: 'assistant', content: run.response })
  const end = (event: NonNullable<LiveRun['terminalEvent']>) => {
    if (event.event === 'done') {
      sendChunk({}, 'stop')
      const usage = toUsage(event.data.usage)
      if (includesUsage) send({ ...completion, object: 'chat.completion.chunk', choices: [], usage })
      onAnswer(event.data.response)
    } else if (event.event === 'error')
      send({ error: { message: event.data.message, type: 'server_error', param: null, code: event.data.code } })
    sink.sendText('[DONE]')
    sink.end()
  }
  if (run.terminalEvent) {
    end(run.terminalEvent)
    return () => undefined
  }
  return run.follow((runEvent) => {
    if (runEvent.event === 'text') sendChunk({ content: runEvent.data.delta })
    else if (runEvent.event === 'done' || runEvent.event === 'error') end(runEvent)
  })
}

async function identify(services: Services, request: Request): Promise<ConnectedPerson> {
  const token = getBearerToken(request)
  const person = token ? await services.authenticate(token) : null
  if (!person?.connection)
    throw new Problem('not-signed-in', { message: 'Send a personal access token with the scope run:agents.' })
  const { resource, scopes } = person.connection
  const isForMcpOnly = resource !== null
  if (isForMcpOnly || !scopes.includes('run:agents'))
    throw new Problem('scope-missing', { message: 'This access token needs the scope "run:agents" for this.' })
  return person as ConnectedPerson
}

async function findAgent(services: Services, person: ConnectedPerson, model: string): Promise<AgentRow> {
  const agent = await requireRunnableAgent(services, person, model)
  if (agent.status !== 'ready') throw new Problem('agent-not-ready')
  return agent
}

const maxEarlierLength = 20_000

/** Quotes the earlier turns of a conversation that began in another program. */
function withEarlierTurns(question: string, previous: readonly string[]): string {
  if (previous.length === 0) return question
  const earlier = previous.join('\n\n').slice(-maxEarlierLength).toWellFormed()
  return `Earlier in this conversation:\n${quoteLines(earlier)}\n\n${question}`
}

async function findSession({ db }: Services, fingerprint: string, previous: readonly string[]): Promise<string | null> {
  if (previous.length === 0) return null
  const row = await db
    .selectFrom('chat_fingerprints')
    .select('session_id')
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  return row?.session_id ?? null
}

async function saveFingerprint(services: Services, sessionId: string | null, fingerprint: string): Promise<void> {
  if (sessionId === null) return
  const row = { fingerprint, session_id: sessionId, created_at: services.now().getTime() }
  try {
    await services.db
      .insertInto('chat_fingerprints')
      .values(row)
      .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet({ session_id: sessionId }))
      .execute()
  } catch (error) {
    services.log.warn({ err: error }, 'a chat fingerprint could not be saved, so the next message starts a new chat')
  }
}

function parseChat(body: unknown): ChatRequest {
  const parsed = chatRequest.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw createBadRequest(issue?.message ?? 'The request isn’t valid.', String(issue?.path[0] ?? ''))
}

function requireConversation(body: ChatRequest): { question: string; previous: string[] } {
  const conversation = splitConversation(body)
  if (!conversation) throw createBadRequest('The last message must have the role "user".', 'messages')
  if (conversation.hasAttachment)
    throw createBadRequest(
      'At this address agents read text only. Send the message without the picture or file.',
      'messages',
    )
  if (conversation.question.trim() === '') throw createBadRequest('Write a message.', 'messages')
  return conversation
}

const createBadRequest = (message: string, field: string) =>
  new Problem('bad-input', { message, fields: { [field]: message } })

const errorTypes: Record<number, string> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'invalid_request_error',
  429: 'rate_limit_error',
}
const errorCodes: Record<number, string> = {
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
}

async function withOpenAiErrors({ log }: Services, respond: () => Promise<Response>): Promise<Response> {
  try {
    return await respond()
  } catch (error) {
    if (!(error instanceof Problem)) log.error({ err: error }, 'a request to /v1 failed')
    const problem = error instanceof Problem ? error : new Problem('internal')
    const { status, message } = problem
    const type = errorTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'server_error')
    const param = Object.keys(problem.details.fields ?? {})[0] ?? null
    return respondJson(
      { error: { message, type, param, code: errorCodes[status] ?? problem.code } },
      status,
      createRetryAfterHeader(problem),
    )
  }
}
