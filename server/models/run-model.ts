import { coordinatorSettings, type ModelSettings } from '#contract/agents/model-settings.ts'
import { getProviderInfo } from '#contract/providers/registry.ts'
import { getLimits } from '../settings/model-limits.ts'
import type { CallSettings, ChatApi, ChatCall } from './chat-api.ts'
import { getMaxOutputTokens } from './context-windows.ts'
import { isTruncated, serializeCall, toModelUsage } from './estimate-tokens.ts'
import { callProvider, type Exchange } from './http-exchange.ts'
import { findWindow, learnFromRefusal } from './learn-from-refusal.ts'
import type { ModelEvent, ModelRequest, ModelRuntime } from './model-request.ts'
import { getBaseUrl, hasDefaultHost, toCallUrl } from './provider-address.ts'
import type { ProviderDefinition } from './providers/provider.ts'
import { getProvider } from './providers/registry.ts'
import {
  applyQuirks,
  getCatalogQuirks,
  getQuirks,
  mergeQuirks,
  noQuirks,
  type Quirks,
  rememberQuirks,
} from './quirks.ts'
import { readAnswer } from './read-answer.ts'
import { createFailure, toFailureContext } from './translate-failure.ts'
import { streamWithRetries } from './with-retries.ts'

export { ModelFailure } from './model-failure.ts'
export type {
  FinishReason,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelRuntime,
  ModelToolCall,
} from './model-request.ts'

const maxContinuations = 20

/** Ends with exactly one `finish`, after all text and `tool-call`s. Ending the iteration aborts.
 * @throws ModelFailure instead of `finish`: 'interrupted' after part of the text, 'stopped' when `signal` aborted */
export async function* runModel(runtime: ModelRuntime, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const { settings, credential, system, messages, signal, reserveRetry } = request
  const provider = getProvider(request.provider)
  const context = toFailureContext(provider, credential, [
    ...(system ? [system] : []),
    ...messages.map(({ content }) => content),
  ])
  if (!provider.getChatApi)
    throw createFailure(context, 'provider-refused', {
      message: `${provider.name} only reads text aloud and can’t answer.`,
    })
  if (settings.model.trim() === '')
    throw createFailure(context, 'model-not-found', {
      message: 'No model is chosen. Choose one in the agent’s form.',
    })

  const { callSettings, notes } = fitSettings(provider, settings)
  const adaptiveRequest = new AdaptiveRequest(provider, request, callSettings)
  for (const text of [...notes, ...adaptiveRequest.listExpectedOmissions(), ...adaptiveRequest.listExpectedLimits()])
    yield { type: 'note', text }
  yield* streamWithRetries(
    runtime,
    {
      provider,
      model: settings.model,
      context,
      credential,
      retry: settings.retry,
      signal,
      reserveRetry,
      limits: { ...getLimits(runtime, credential, { isWhole: !request.stream }), ...request.limits },
      adapt: (exchange) => adaptiveRequest.learn(exchange),
    },
    (exchange) => runAttempt(runtime, exchange, adaptiveRequest),
  )
}

/** Each attempt leaves out or renames what the provider refused before. */
class AdaptiveRequest {
  readonly request: ModelRequest
  readonly provider: ProviderDefinition
  readonly #settings: CallSettings
  readonly #model: string
  readonly #baseUrl: string
  readonly #hasDefaultHost: boolean
  readonly #catalogQuirks: Quirks | undefined
  readonly #withoutTools = new Set<string>()
  #lastSent: { api: ChatApi; body: Record<string, unknown>; learned: Quirks } | undefined

  constructor(provider: ProviderDefinition, request: ModelRequest, settings: CallSettings) {
    this.provider = provider
    this.request = request
    this.#settings = settings
    this.#model = request.settings.model
    this.#baseUrl = getBaseUrl(provider, request.credential)
    this.#hasDefaultHost = hasDefaultHost(provider, request.credential)
    this.#catalogQuirks = getCatalogQuirks(provider, this.#baseUrl, this.#model)
  }

  get #tools(): ChatCall['tools'] {
    return (this.request.tools ?? []).filter(({ name }) => !this.#withoutTools.has(name))
  }

  build(): { api: ChatApi; url: string; body: Record<string, unknown>; turnKey: string } {
    const { provider, request } = this
    const tools = this.#tools
    const model = this.#model
    const learned = getQuirks(this.#baseUrl, model)
    const api = provider.getChatApi?.({
      model,
      hasTools: tools.length > 0,
      quirks: learned,
      hasDefaultHost: this.#hasDefaultHost,
    })
    if (!api) throw new Error(`${provider.id} has no chat`)
    const quirks = mergeQuirks(this.#catalogQuirks, learned)
    // Includes the model, so that its turns go back to no other.
    const turnKey = `${provider.id} ${api.id} ${model}`
    const call: ChatCall = {
      model,
      turnKey,
      tools,
      mustCall: tools.some(({ name }) => name === request.mustCall) ? request.mustCall : undefined,
      stream: request.stream,
      settings: { ...this.#settings, maxTokens: this.#limitMaxTokens(quirks) },
      ...adaptMessages(request, quirks),
    }
    const body = applyQuirks(api.buildBody(call), quirks)
    this.#lastSent = { api, body, learned }
    return { api, body, turnKey, url: toCallUrl(provider, request.credential, api.getPath(call)) }
  }

  listExpectedOmissions(): string[] {
    const { temperature, topP, frequencyPenalty, presencePenalty } = this.#settings
    const sentSettings = {
      temperature,
      top_p: topP,
      frequency_penalty: frequencyPenalty,
      presence_penalty: presencePenalty,
    }
    return Object.entries(sentSettings).flatMap(([name, value]) => {
      const isChosen = value !== undefined && !(name === 'temperature' && defaultTemperatures.includes(value))
      return isChosen && this.#catalogQuirks?.omitted.has(name)
        ? [`${this.#model} doesn’t accept ${name}, so it was left out.`]
        : []
    })
  }

  listExpectedLimits(): string[] {
    const limit = getMaxOutputTokens(this.request)
    return limit < (this.#settings.maxTokens ?? 0) ? [describeLimit(limit)] : []
  }

  #limitMaxTokens({ maxTokens: learned }: Quirks): number | undefined {
    const { maxTokens = learned } = this.#settings
    return maxTokens === undefined
      ? undefined
      : Math.min(maxTokens, learned ?? maxTokens, getMaxOutputTokens(this.request))
  }

  learn({ refusal, failure }: Exchange): string | undefined {
    if (!refusal || !this.#lastSent) return undefined
    if (failure?.code === 'context-too-long') {
      const window = findWindow(refusal.error.message)
      if (window === undefined) return undefined
      const previousLimit = getMaxOutputTokens(this.request)
      rememberQuirks(this.#baseUrl, this.#model, { ...noQuirks, window })
      const limit = getMaxOutputTokens(this.request)
      return limit < Math.min(previousLimit, this.#settings.maxTokens ?? 0) ? describeLimit(limit) : undefined
    }
    if (failure?.code !== 'provider-refused' && failure?.code !== 'provider-not-found') return undefined
    const { api, body, learned } = this.#lastSent
    const lesson = learnFromRefusal(
      {
        ...refusal,
        api,
        body,
        hasResponsesApi: this.provider.hasResponsesApi === true,
        hasSystem: Boolean(this.request.system),
        toolNames: this.#tools.map(({ name }) => name),
      },
      learned,
    )
    if (!lesson) return undefined
    if (lesson.withoutTool !== undefined) this.#withoutTools.add(lesson.withoutTool)
    else rememberQuirks(this.#baseUrl, this.#model, lesson.quirks)
    return lesson.note
  }
}

const defaultTemperatures = [getProviderInfo('openai').settings.temperature, coordinatorSettings.temperature]

const describeLimit = (tokens: number) =>
  `This model has room for an answer of ${tokens.toLocaleString('en-US')} tokens, so max tokens was lowered to that.`

/** Drops blank turns, which some providers refuse. */
function adaptMessages(
  { system, messages }: ModelRequest,
  { hasNoSystemRole = false }: Quirks,
): Pick<ChatCall, 'system' | 'messages'> {
  const sendableMessages = messages.filter(
    (message) => message.role !== 'assistant' || message.content.trim() !== '' || message.toolCalls?.length,
  )
  if (!hasNoSystemRole || !system) return { system, messages: sendableMessages }
  const firstUserIndex = sendableMessages.findIndex(({ role }) => role === 'user')
  return {
    system: undefined,
    messages: sendableMessages.map((message, index) =>
      index === firstUserIndex && message.role === 'user'
        ? { ...message, content: `${system}\n\n${message.content}` }
        : message,
    ),
  }
}

async function* runAttempt(
  runtime: ModelRuntime,
  exchange: Exchange,
  adaptiveRequest: AdaptiveRequest,
): AsyncGenerator<ModelEvent> {
  const { provider, request } = adaptiveRequest
  const { api, url, body, turnKey } = adaptiveRequest.build()
  const headers = { ...provider.getHeaders(request.credential.key), ...request.credential.headers }
  const reader = api.createReader()
  let characterCount = 0
  let continuation: string | undefined
  try {
    for (let part = 1; part <= maxContinuations; part++) {
      const requestBody = continuation === undefined ? body : { ...body, continuationToken: continuation }
      const response = await callProvider(runtime, exchange, { url, headers, body: requestBody })
      const answer = readAnswer(response, exchange, reader)
      for (;;) {
        const result = await answer.next()
        if (result.done) {
          continuation = result.value
          break
        }
        if (result.value.reasoning !== '') yield { type: 'reasoning', delta: removeNul(result.value.reasoning) }
        const delta = removeNul(result.value.text)
        if (delta === '') continue
        characterCount += delta.length
        yield { type: 'text', delta }
      }
      if (continuation === undefined || exchange.failure) break
      exchange.startNextPart()
    }
  } catch (error) {
    throw exchange.failure ?? error
  }
  if (exchange.failure) throw exchange.failure
  if (!exchange.isComplete) throw createFailure(exchange.context, 'provider-protocol')
  for (const toolCall of exchange.toolCalls.getCalls()) {
    characterCount += serializeCall(toolCall).length
    yield { type: 'tool-call', call: toolCall }
  }
  if (exchange.unknownFinishReason !== undefined)
    yield {
      type: 'note',
      text: `The provider ended the answer for an unknown reason: “${exchange.unknownFinishReason.slice(0, 80)}”.`,
    }
  const usage = toModelUsage(request, characterCount, exchange.totalTokens)
  if (!hasDefaultHost(provider, request.credential) && isTruncated(request, usage))
    yield {
      type: 'note',
      text: `${provider.name} counted only ${usage.input_tokens.toLocaleString('en-US')} tokens, fewer than this request has, so the model may have read only part of it. Raise its server’s context length.`,
    }
  const value = reader.getTurn()
  yield {
    type: 'finish',
    reason: exchange.finishReason ?? (exchange.toolCalls.hasCalls ? 'tool-calls' : 'stop'),
    usage,
    turn: value === undefined ? undefined : { key: turnKey, value },
  }
}

// Text columns don't accept NUL.
const removeNul = (text: string) => (text.includes('\0') ? text.replaceAll('\0', '') : text)

function fitSettings(
  provider: ProviderDefinition,
  { temperature, max_tokens, top_p, frequency_penalty, presence_penalty }: ModelSettings,
): { callSettings: CallSettings; notes: string[] } {
  const { maxTemperature } = provider
  const isTemperatureTooHigh = temperature != null && temperature > maxTemperature
  return {
    callSettings: {
      ...(temperature != null && { temperature: Math.min(temperature, maxTemperature) }),
      ...(max_tokens != null && { maxTokens: max_tokens }),
      ...(top_p != null && top_p !== 1 && { topP: top_p }),
      ...(frequency_penalty && { frequencyPenalty: frequency_penalty }),
      ...(presence_penalty && { presencePenalty: presence_penalty }),
    },
    notes: isTemperatureTooHigh
      ? [`Temperature ${temperature} was lowered to ${maxTemperature}, the most ${provider.name} accepts.`]
      : [],
  }
}
