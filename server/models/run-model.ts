import type { Provider } from '#contract/agents/model-settings.ts'
import { createLanguageModel, type LanguageModel } from './create-language-model.ts'
import { usageOf, writtenCall } from './estimate-tokens.ts'
import type { Exchange } from './exchange.ts'
import { defaultLimits } from './model-limits.ts'
import type { ModelEvent, ModelMessage, ModelRequest, ModelRuntime } from './model-request.ts'
import { retellingFetch } from './retell-answer.ts'
import { type CallSettings, settingsFor } from './settings-for-provider.ts'
import { type FailureContext, ownFailure, requireSendableKey } from './translate-failure.ts'
import { anthropicWire } from './wires/anthropic-wire.ts'
import { openaiWire } from './wires/openai-wire.ts'
import type { Wire } from './wires/wire.ts'
import { withRetries } from './with-retries.ts'

export { ModelFailure } from './model-failure.ts'
export type {
  FinishReason,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ModelRuntime,
  ModelToolCall,
} from './model-request.ts'

const wires: Partial<Record<Provider, Wire>> = { openai: openaiWire, anthropic: anthropicWire, together: openaiWire }

/**
 * Asks a provider for an answer and retries where a retry can help.
 *
 * Yields `attempt` before each request (1 + max_retries at most), `note` for each setting that had to be changed or left
 * out, `text` as it arrives, `retry` before each wait, then each `tool-call`, and ends with exactly one `finish`.
 * Ending the iteration early (`return()`) aborts the request.
 *
 * @throws ModelFailure instead of `finish`: 'interrupted' after part of the text, 'stopped' when `signal` aborted.
 */
export async function* runModel(runtime: ModelRuntime, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const { provider, settings, credential, signal, mayPayAgain } = request
  const context = failureContextOf(request)
  const limits = { ...defaultLimits, ...request.limits }
  const wire = wires[provider]
  if (!wire)
    throw ownFailure(context, 'provider-refused', { message: 'ElevenLabs speaks texts, it does not answer them.' })
  requireSendableKey(context, credential.key)

  const { call, notes } = settingsFor(provider, settings)
  for (const text of notes) yield { type: 'note', text }
  const retried = { context, credential, retry: settings.retry, signal, limits, mayPayAgain }
  yield* withRetries(runtime, retried, (exchange) => attempt(runtime, request, { exchange, wire, call }))
}

interface Attempt {
  exchange: Exchange
  wire: Wire
  call: CallSettings
}

async function* attempt(
  runtime: ModelRuntime,
  request: ModelRequest,
  { exchange, wire, call }: Attempt,
): AsyncGenerator<ModelEvent> {
  const { provider, settings, credential, stream } = request
  let characters = 0
  try {
    const fetch = retellingFetch(runtime, exchange, { wire, credential, stream })
    const model = await createLanguageModel(provider, settings.model, { credential, fetch })
    const options = { ...call, ...toolOptions(request), prompt: promptOf(request), abortSignal: exchange.signal }
    const { words, warnings } = await answerOf(model, exchange, { stream, options })
    for await (const given of words) {
      // No database keeps NUL in a text.
      const delta = given.replaceAll('\0', '')
      if (delta === '') continue
      characters += delta.length
      yield { type: 'text', delta }
    }
    yield* notesOf(await warnings)
  } catch (error) {
    throw exchange.failure ?? error
  }
  if (exchange.failure) throw exchange.failure
  if (!exchange.complete) throw ownFailure(exchange.context, 'provider-protocol')
  for (const made of exchange.toolCalls.whole()) {
    characters += writtenCall(made).length
    yield { type: 'tool-call', call: made }
  }
  yield { type: 'finish', reason: exchange.finish ?? 'other', usage: usageOf(request, characters, exchange) }
}

type CallOptions = Parameters<LanguageModel['doStream']>[0]

interface Answer {
  words: AsyncIterable<string> | string[]
  /** What the SDK remarks on the request; of a streamed answer known after its words. */
  warnings: Warnings | Promise<Warnings>
}

async function answerOf(
  model: LanguageModel,
  exchange: Exchange,
  { stream, options }: { stream: boolean; options: CallOptions },
): Promise<Answer> {
  if (!stream) {
    const { content, warnings } = await model.doGenerate(options)
    return { words: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])), warnings }
  }
  // The words do not wait for the SDK to get through its empty stream.
  const warnings = remarksOf(model, options)
  // Whoever stops reading before the end does not wait for it; its failure is then nobody's.
  warnings.catch(() => undefined)
  await Promise.race([warnings, exchange.answering])
  return { words: exchange.words ?? [], warnings }
}

async function remarksOf(model: LanguageModel, options: CallOptions): Promise<Warnings> {
  const { stream } = await model.doStream(options)
  let warnings: Warnings = []
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'stream-start') warnings = part.warnings
  }
  return warnings
}

type Warnings = Awaited<ReturnType<LanguageModel['doGenerate']>>['warnings']

/** The SDK leaves out what a model is known not to take, such as the temperature of a reasoning model, and says so. */
function* notesOf(warnings: Warnings): Generator<ModelEvent> {
  for (const warning of warnings) {
    const text = 'message' in warning ? warning.message : 'details' in warning ? warning.details : undefined
    if (text) yield { type: 'note', text }
  }
}

function toolOptions({ tools = [], mustCall }: ModelRequest): Pick<CallOptions, 'tools' | 'toolChoice'> {
  if (tools.length === 0) return {}
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      name,
      description,
      inputSchema: parameters,
    })),
    toolChoice: mustCall ? { type: 'tool', toolName: mustCall } : { type: 'auto' },
  }
}

function promptOf({ system, messages }: ModelRequest): CallOptions['prompt'] {
  return [...(system ? [{ role: 'system' as const, content: system }] : []), ...messages.map(promptMessage)]
}

function promptMessage(message: ModelMessage): CallOptions['prompt'][number] {
  const text = { type: 'text' as const, text: message.content }
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [text] }
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map(({ id, name, arguments: input }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input,
      }))
      return { role: 'assistant', content: message.content === '' && calls.length > 0 ? calls : [text, ...calls] }
    }
    case 'tool': {
      const output = { type: message.failed ? ('error-text' as const) : ('text' as const), value: message.content }
      return {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId: message.callId, toolName: message.name, output }],
      }
    }
  }
}

function failureContextOf({ provider, credential, system, messages }: ModelRequest): FailureContext {
  const privateTexts = [...(system ? [system] : []), ...messages.map(({ content }) => content)]
  return { provider, secrets: { keys: credential.key ? [credential.key] : [], privateTexts } }
}
