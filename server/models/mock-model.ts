import { serializeCall, toModelUsage } from './estimate-tokens.ts'
import type { ModelEvent, ModelRequest, ModelRuntime, ModelToolCall } from './model-request.ts'
import { getProvider } from './providers/registry.ts'
import { createFailure, toFailureContext } from './translate-failure.ts'

const wordDelayMs = 12
const maxQuoteLength = 160

/** Never reports an `attempt`. @throws ModelFailure 'stopped' when the signal aborts */
export async function* runMockModel(
  runtime: Pick<ModelRuntime, 'sleep'>,
  request: Pick<
    ModelRequest,
    'provider' | 'system' | 'messages' | 'tools' | 'mustCall' | 'mockAnswer' | 'stream' | 'signal'
  >,
): AsyncGenerator<ModelEvent> {
  const { provider, stream, signal } = request
  const call = createMockCall(request)
  if (call) {
    yield { type: 'note', text: `The mock called ${call.name} with arguments it made up.` }
    yield { type: 'tool-call', call }
    yield { type: 'finish', reason: 'tool-calls', usage: toModelUsage(request, serializeCall(call).length) }
    return
  }
  const answer = createMockAnswer(request)
  for (const delta of stream ? (answer.trimEnd().match(/\s*\S+/g) ?? []) : [answer]) {
    if (stream) await runtime.sleep(wordDelayMs, signal).catch(() => undefined)
    if (signal.aborted) throw createFailure(toFailureContext(getProvider(provider)), 'stopped')
    yield { type: 'text', delta }
  }
  yield { type: 'finish', reason: 'stop', usage: toModelUsage(request, answer.length) }
}

function createMockCall({
  messages,
  tools = [],
  mustCall,
}: Pick<ModelRequest, 'messages' | 'tools' | 'mustCall'>): ModelToolCall | undefined {
  if (messages.at(-1)?.role !== 'user') return undefined
  const tool = tools.find(({ name, mockArguments }) => mockArguments && (!mustCall || name === mustCall))
  const callArguments = tool?.mockArguments?.(getLastPrompt(messages))
  if (!tool || typeof callArguments !== 'object' || callArguments === null) return undefined
  return { id: 'mock-call', name: tool.name, arguments: callArguments as Record<string, unknown> }
}

function getLastPrompt(messages: ModelRequest['messages']): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? ''
}

function createMockAnswer({
  provider,
  messages,
  mockAnswer: customAnswer,
}: Pick<ModelRequest, 'provider' | 'messages' | 'mockAnswer'>): string {
  if (customAnswer)
    return `This is a mock answer, because no ${getProvider(provider).name} key is set.\n\n${customAnswer}`
  // Only the first paragraph is the person's; pages append others.
  const [firstParagraph = ''] = getLastPrompt(messages)
    .trim()
    .split(/\n\s*\n/)
  const prompt = firstParagraph.replace(/\s+/g, ' ')
  const quote = prompt.length > maxQuoteLength ? `${prompt.slice(0, maxQuoteLength - 1)}…` : prompt
  return (
    `This is a mock answer, because no ${getProvider(provider).name} key is set. ` +
    `You wrote: “${quote}”${/[.!?…]$/.test(quote) ? '' : '.'} ` +
    `Add a key and ask again for a real one.`
  )
}
