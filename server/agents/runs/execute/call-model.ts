import { completeSettings } from '#contract/agents/model-settings.ts'
import { getProviderName, isProvider } from '#contract/providers/registry.ts'
import { recordKeyVerdict } from '#server/keys/key-verdict.ts'
import { estimateInputTokens, estimateTokens } from '#server/models/estimate-tokens.ts'
import { runMockModel } from '#server/models/mock-model.ts'
import type { ModelFailureCode } from '#server/models/model-failure.ts'
import type { ProviderTurn, RetryBudgetCheck } from '#server/models/model-request.ts'
import {
  type FinishReason,
  type ModelEvent,
  ModelFailure,
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
  runModel,
} from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import { chooseRunKey } from '../../model-lists/choose-run-key.ts'
import { type BudgetReservation, type PlannedCall, reserveBudget } from '../../usage/reserve-budget.ts'
import { toCallOutcome } from '../../usage/settlement.ts'
import { getVisitorSettings } from '../visitor-limits.ts'
import type { AgentRunContext, RunPlan } from './run-context.ts'
import type { RequestSpans, RunTrace } from './run-trace.ts'

interface ModelAnswer {
  text: string
  calls: ModelToolCall[]
  reason: FinishReason
  providerTurn: ProviderTurn | undefined
}

export async function callModel(agentRun: AgentRunContext, turn: number): Promise<ModelAnswer> {
  const { services, agent, key } = agentRun
  const request = buildRequest(agentRun, turn)
  const reservation = agentRun.reservation ?? (await reserveBudget(services, planCall(agentRun, request)))
  agentRun.reservation = null
  const requestSpans = startRequestSpans(agentRun, turn)
  const startedAt = performance.now()
  const calls: ModelToolCall[] = []
  const listener = createTextListener(agentRun)
  let finish: Extract<ModelEvent, { type: 'finish' }> | undefined

  const runRequest = key.source === 'mock' ? runMockModel : runModel
  const reserveRetry = createRetryBudgetCheck(agentRun.trace, reservation)
  try {
    for await (const event of runRequest(services.modelRuntime, { ...request, reserveRetry })) {
      if (event.type === 'text') listener.onText(event.delta)
      else if (event.type === 'tool-call') calls.push(event.call)
      else if (event.type === 'finish') finish = event
      else {
        if (event.type === 'reasoning') agentRun.onReasoning(event.delta)
        requestSpans.recordEvent(event)
      }
    }
    if (!finish) throw new Error('the model stream ended without a finish event')
  } catch (error) {
    const outcome = toCallOutcome(error)
    const text = listener.getText()
    const estimatedUsage = { input_tokens: 0, output_tokens: estimateTokens(text), estimated: true }
    const usage = agentRun.ledger.record(reservation, startedAt, estimatedUsage, outcome)
    requestSpans.end({ failure: outcome.failure, output: text || null, usage })
    if (error instanceof ModelFailure)
      await saveKeyVerdict(services, { provider: agent.model_provider, key: agentRun.key }, error)
    throw error
  }
  const { lostResponseCount } = finish
  const usage = agentRun.ledger.record(reservation, startedAt, finish.usage, { failure: null, lostResponseCount })
  const modelAnswer: ModelAnswer = { text: listener.getText(), calls, reason: finish.reason, providerTurn: finish.turn }
  requestSpans.end({ output: toSpanOutput(modelAnswer), usage })
  void saveKeyVerdict(services, { provider: agent.model_provider, key: agentRun.key }, 'works')
  return modelAnswer
}

export function createRetryBudgetCheck(trace: RunTrace, reservation: BudgetReservation): RetryBudgetCheck {
  return async () => {
    const isReserved = await reservation.reserveRetry()
    if (!isReserved) trace.addNote('The call wasn’t retried because another attempt would exceed a budget.')
    return isReserved
  }
}

/** Reserved output tokens for an agent without `max_tokens`. */
const assumedMaxTokens = 32_000

export function planCall(
  {
    run,
    runner,
    rootAgent,
    agent,
    settings,
    key,
  }: Pick<AgentRunContext, 'run' | 'runner' | 'rootAgent' | 'agent' | 'settings' | 'key'>,
  request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
): PlannedCall {
  const isVoice = agent.model_provider === 'elevenlabs'
  return {
    runId: run.id,
    agent: rootAgent,
    personId: run.personId,
    visitorId: run.visitorId,
    connection: runner.person?.connection ?? null,
    provider: agent.model_provider,
    model: settings.model,
    key,
    // A voice is sent only the last message and produces no tokens.
    inputTokens: isVoice ? estimateTokens(request.messages.at(-1)?.content ?? '') : estimateInputTokens(request),
    maxOutputTokens: isVoice ? 0 : (settings.max_tokens ?? assumedMaxTokens),
  }
}

export async function saveKeyVerdict(
  services: Services,
  { provider, key }: { provider: AgentRunContext['agent']['model_provider']; key: RunPlan['key'] },
  verdict: ModelFailure | 'works',
): Promise<void> {
  try {
    await recordKeyVerdict(services, { provider, payer: key.payer, key: key.key }, verdict)
  } catch (error) {
    services.log.error({ err: error }, 'could not save the verdict on a provider key')
  }
}

function buildRequest(agentRun: AgentRunContext, turn: number): ModelRequest {
  const { agent, settings, key, run } = agentRun
  return {
    provider: agent.model_provider,
    settings,
    system: agentRun.system,
    messages: agentRun.messages,
    tools: agentRun.tools,
    mustCall: turn === 1 ? agentRun.mustCall : undefined,
    mockAnswer: agentRun.mockAnswer,
    credential: { key: key.key, baseUrl: key.baseUrl, ...(key.headers && { headers: key.headers }) },
    stream: agentRun.stream,
    signal: run.abortController.signal,
  }
}

/** Stores only messages that are new in this turn: earlier ones are in the previous turns' traces. */
function startRequestSpans(agentRun: AgentRunContext, turn: number): RequestSpans {
  const { trace, span, settings, agent, key, messages } = agentRun
  const newMessages = messages
    .slice(turn === 1 ? -1 : messages.findLastIndex(({ role }) => role === 'assistant'))
    .map(stripProviderTurn)
  const isMock = key.source === 'mock'
  const requestSpans = trace.startRequest(span, {
    name: isMock ? 'mock' : settings.model,
    ...(!isMock && { provider: agent.model_provider, model: settings.model }),
    input: {
      system: agentRun.tracedSystem,
      messages: newMessages,
      settings,
      messages_before: messages.length - newMessages.length,
    },
    memory: agentRun.context.memory,
  })
  // A mock sends nothing, so it never reports an attempt.
  if (isMock) requestSpans.startAttempt()
  return requestSpans
}

function stripProviderTurn(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant') return message
  const { role, content, toolCalls } = message
  return { role, content, ...(toolCalls && { toolCalls: toolCalls.map(({ extra: _extra, ...call }) => call) }) }
}

function createTextListener(agentRun: AgentRunContext): { onText(delta: string): void; getText(): string } {
  let startOffset: number | undefined
  return {
    onText(delta) {
      const separator = startOffset === undefined && agentRun.output.length > 0 ? '\n\n' : ''
      startOffset ??= agentRun.output.length + separator.length
      const chunk = separator + delta
      agentRun.output.append(chunk)
      agentRun.onText(chunk)
    },
    getText: () => (startOffset === undefined ? '' : agentRun.output.sliceFrom(startOffset)),
  }
}

function toSpanOutput({ text, calls }: ModelAnswer): unknown {
  if (calls.length === 0) return text
  return {
    text,
    calls: calls.map(({ name, arguments: args, unreadable }) => ({ name, arguments: args, unreadable })),
  }
}

/** Failures that another model might not have, unlike refused texts or interrupted answers. */
const fallbackFailureCodes: readonly ModelFailureCode[] = [
  'provider-unreachable',
  'provider-timeout',
  'provider-busy',
  'provider-quota',
  'provider-failed',
  'provider-protocol',
  'provider-not-found',
  'key-rejected',
  'model-not-found',
]

export async function switchToFallback(agentRun: AgentRunContext, error: unknown): Promise<boolean> {
  const { agent, services, rootAgent, run, trace } = agentRun
  const fallback = agent.config.fallback_model
  if (!fallback || !(error instanceof ModelFailure) || !fallbackFailureCodes.includes(error.code)) return false
  const isInUse = agentRun.settings.model === fallback.model && agent.model_provider === fallback.provider
  if (isInUse || !isProvider(fallback.provider) || fallback.provider === 'elevenlabs') return false
  const key = await chooseRunKey(services, { personId: run.personId, agent: rootAgent }, fallback)
  if (key.source === 'mock') return false
  const { temperature, max_tokens, retry } = agent.model_settings
  const settings = completeSettings(fallback.provider, { model: fallback.model, temperature, max_tokens, retry })
  const previousModel = agentRun.settings.model
  agentRun.agent = { ...agent, model_provider: fallback.provider, model_settings: settings }
  agentRun.settings = run.personId ? settings : getVisitorSettings(agentRun.agent)
  agentRun.key = key
  run.answeredBy = { provider: fallback.provider, model: fallback.model }
  trace.addNote(
    `${previousModel} was unavailable (${error.code}), so ${fallback.model} of ${getProviderName(fallback.provider)} answered in its place.`,
  )
  return true
}
