import { completeSettings } from '#contract/agents/model-settings.ts'
import { getProviderName, isProvider } from '#contract/providers/registry.ts'
import { noteKeyVerdict } from '#server/keys/key-verdict.ts'
import { estimateInputTokens, estimateTokens } from '#server/models/estimate-tokens.ts'
import { mockModel } from '#server/models/mock-model.ts'
import type { ModelFailureCode } from '#server/models/model-failure.ts'
import type { MayPayAgain, ProviderTurn } from '#server/models/model-request.ts'
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
import { chooseRunKey } from '../model-lists/choose-run-key.ts'
import { type BudgetHold, holdBudget, type PlannedCall } from '../usage/hold-budget.ts'
import { endingOf } from '../usage/settlement.ts'
import type { AgentAtWork, RunPlan } from './run-context.ts'
import type { RequestSteps, RunTrace } from './run-trace.ts'
import { visitorSettings } from './visitor-limits.ts'

interface Said {
  text: string
  calls: ModelToolCall[]
  reason: FinishReason
  /** State that the provider needs back with the next request of this run. */
  turn: ProviderTurn | undefined
}

/** One model turn: text streams as it arrives, tool calls are returned at the end. */
export async function askModel(work: AgentAtWork, turn: number): Promise<Said> {
  const { services, agent, key } = work
  const request = requestFor(work, turn)
  const hold = work.hold ?? (await holdBudget(services, plannedCall(work, request)))
  work.hold = null
  const steps = stepsFor(work, turn)
  const startedAt = performance.now()
  const calls: ModelToolCall[] = []
  const heard = listenTo(work)
  let finish: Extract<ModelEvent, { type: 'finish' }> | undefined

  const model = key.source === 'mock' ? mockModel : runModel
  const mayPayAgain = payingAgain(work.trace, hold)
  try {
    for await (const event of model(services.modelRuntime, { ...request, mayPayAgain })) {
      if (event.type === 'text') heard.hear(event.delta)
      else if (event.type === 'tool-call') calls.push(event.call)
      else if (event.type === 'finish') finish = event
      else {
        if (event.type === 'reasoning') work.think(event.delta)
        steps.note(event)
      }
    }
    if (!finish) throw new Error('the model ended without saying so')
  } catch (error) {
    const ending = endingOf(error)
    const text = heard.text()
    const used = { input_tokens: 0, output_tokens: estimateTokens(text), estimated: true }
    const usage = work.ledger.enter(hold, startedAt, used, ending)
    steps.end({ failure: ending.failure, output: text || null, usage })
    if (error instanceof ModelFailure)
      await keepVerdict(services, { provider: agent.model_provider, key: work.key }, error)
    throw error
  }
  const { lostAnswers } = finish
  const usage = work.ledger.enter(hold, startedAt, finish.usage, { failure: null, lostAnswers })
  const said: Said = { text: heard.text(), calls, reason: finish.reason, turn: finish.turn }
  steps.end({ output: outputOf(said), usage })
  void keepVerdict(services, { provider: agent.model_provider, key: work.key }, 'works')
  return said
}

/** Reserves budget for another attempt; a refusal is noted in the run. */
export function payingAgain(trace: RunTrace, hold: BudgetHold): MayPayAgain {
  return async () => {
    const may = await hold.payAgain()
    if (!may) trace.remark("It wasn't retried because another attempt would exceed a budget.")
    return may
  }
}

const maxTokensUnset = 32_000

export function plannedCall(
  { run, root, agent, settings, key }: Pick<AgentAtWork, 'run' | 'root' | 'agent' | 'settings' | 'key'>,
  request: Pick<ModelRequest, 'system' | 'messages' | 'tools'>,
): PlannedCall {
  const speaks = agent.model_provider === 'elevenlabs'
  return {
    runId: run.id,
    agent: root,
    personId: run.personId,
    visitorId: run.visitorId,
    provider: agent.model_provider,
    model: settings.model,
    key,
    // A voice is sent only the last message and produces no tokens.
    inputTokens: speaks ? estimateTokens(request.messages.at(-1)?.content ?? '') : estimateInputTokens(request),
    maxOutputTokens: speaks ? 0 : (settings.max_tokens ?? maxTokensUnset),
  }
}

export async function keepVerdict(
  services: Services,
  { provider, key }: { provider: AgentAtWork['agent']['model_provider']; key: RunPlan['key'] },
  ending: ModelFailure | 'works',
): Promise<void> {
  try {
    await noteKeyVerdict(services, { provider, payer: key.payer, key: key.key }, ending)
  } catch (error) {
    services.log.error({ err: error }, 'what a provider said of a key could not be kept')
  }
}

function requestFor(work: AgentAtWork, turn: number): ModelRequest {
  const { agent, settings, key, run } = work
  return {
    provider: agent.model_provider,
    settings,
    system: work.system,
    messages: work.messages,
    tools: work.tools,
    mustCall: turn === 1 ? work.mustCall : undefined,
    mockAnswer: work.mockAnswer,
    credential: { key: key.key, baseUrl: key.baseUrl, ...(key.headers && { headers: key.headers }) },
    stream: work.stream,
    signal: run.abort.signal,
  }
}

/** Stores only messages that are new in this turn: earlier ones are in the previous turns' traces. */
function stepsFor(work: AgentAtWork, turn: number): RequestSteps {
  const { trace, span, settings, agent, key, messages } = work
  const shown = messages
    .slice(turn === 1 ? -1 : messages.findLastIndex(({ role }) => role === 'assistant'))
    .map(withoutKeptTurn)
  const mock = key.source === 'mock'
  const steps = trace.request(span, {
    name: mock ? 'mock' : settings.model,
    ...(!mock && { provider: agent.model_provider, model: settings.model }),
    input: { system: work.shownSystem, messages: shown, settings, messages_before: messages.length - shown.length },
    memory: work.context.memory,
  })
  // A mock sends nothing, so it never reports an attempt.
  if (mock) steps.begin()
  return steps
}

function withoutKeptTurn(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant') return message
  const { role, content, toolCalls } = message
  return { role, content, ...(toolCalls && { toolCalls: toolCalls.map(({ extra: _extra, ...call }) => call) }) }
}

function listenTo(work: AgentAtWork): { hear(delta: string): void; text(): string } {
  let start: number | undefined
  return {
    hear(delta) {
      // Text after a tool call starts a new paragraph.
      const gap = start === undefined && work.said.length > 0 ? '\n\n' : ''
      start ??= work.said.length + gap.length
      const words = gap + delta
      work.said.append(words)
      work.hear(words)
    },
    text: () => (start === undefined ? '' : work.said.from(start)),
  }
}

function outputOf({ text, calls }: Said): unknown {
  if (calls.length === 0) return text
  return {
    text,
    calls: calls.map(({ name, arguments: given, unreadable }) => ({ name, arguments: given, unreadable })),
  }
}

/** Failures another model can help with: not refused texts or interrupted answers. */
const unavailable: readonly ModelFailureCode[] = [
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

/** Switches to the agent's fallback model for the rest of the run. @returns false without a usable fallback */
export async function switchToFallback(work: AgentAtWork, error: unknown): Promise<boolean> {
  const { agent, services, root, run, trace } = work
  const fallback = agent.config.fallback_model
  if (!fallback || !(error instanceof ModelFailure) || !unavailable.includes(error.code)) return false
  const isInUse = work.settings.model === fallback.model && agent.model_provider === fallback.provider
  if (isInUse || !isProvider(fallback.provider) || fallback.provider === 'elevenlabs') return false
  const key = await chooseRunKey(services, { personId: run.personId, agent: root }, fallback)
  if (key.source === 'mock') return false
  const { temperature, max_tokens, retry } = agent.model_settings
  const settings = completeSettings(fallback.provider, { model: fallback.model, temperature, max_tokens, retry })
  const before = work.settings.model
  work.agent = { ...agent, model_provider: fallback.provider, model_settings: settings }
  work.settings = run.personId ? settings : visitorSettings(work.agent)
  work.key = key
  run.answeredBy = { provider: fallback.provider, model: fallback.model }
  trace.remark(
    `${before} was unavailable (${error.code}), so ${fallback.model} of ${getProviderName(fallback.provider)} answered in its place.`,
  )
  return true
}
