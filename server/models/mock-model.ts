import { toUsage, writtenCall } from './estimate-tokens.ts'
import type { ModelEvent, ModelRequest, ModelRuntime, ModelToolCall } from './model-request.ts'
import { getProvider } from './providers/registry.ts'
import { ownFailure, toFailureContext } from './translate-failure.ts'

const wordMs = 12
const longestQuote = 160

/**
 * Answers without any provider: the same words for the same request, streamed word by word like a real answer
 * (in one piece when `stream` is false), and saying plainly what it is. Nothing is sent, so there is no `attempt`.
 * Before its answer it calls the tool that must be called, else the first one it may try, once.
 *
 * @throws ModelFailure 'stopped' when the signal aborted, with the text so far.
 */
export async function* mockModel(
  runtime: Pick<ModelRuntime, 'sleep'>,
  request: Pick<
    ModelRequest,
    'provider' | 'system' | 'messages' | 'tools' | 'mustCall' | 'mockAnswer' | 'stream' | 'signal'
  >,
): AsyncGenerator<ModelEvent> {
  const { provider, stream, signal } = request
  const call = mockCall(request)
  if (call) {
    yield { type: 'note', text: `The mock called ${call.name} with arguments it made up.` }
    yield { type: 'tool-call', call }
    yield { type: 'finish', reason: 'tool-calls', usage: toUsage(request, writtenCall(call).length) }
    return
  }
  const answer = mockAnswer(request)
  for (const delta of stream ? (answer.trimEnd().match(/\s*\S+/g) ?? []) : [answer]) {
    if (stream) await runtime.sleep(wordMs, signal).catch(() => undefined)
    if (signal.aborted) throw ownFailure(toFailureContext(getProvider(provider)), 'stopped')
    yield { type: 'text', delta }
  }
  yield { type: 'finish', reason: 'stop', usage: toUsage(request, answer.length) }
}

function mockCall({
  messages,
  tools = [],
  mustCall,
}: Pick<ModelRequest, 'messages' | 'tools' | 'mustCall'>): ModelToolCall | undefined {
  if (messages.at(-1)?.role !== 'user') return undefined
  const tool = tools.find(({ name, mockArguments }) => mockArguments && (!mustCall || name === mustCall))
  const made = tool?.mockArguments?.(askedIn(messages))
  if (!tool || typeof made !== 'object' || made === null) return undefined
  return { id: 'mock-call', name: tool.name, arguments: made as Record<string, unknown> }
}

function askedIn(messages: ModelRequest['messages']): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? ''
}

function mockAnswer({
  provider,
  messages,
  mockAnswer: given,
}: Pick<ModelRequest, 'provider' | 'messages' | 'mockAnswer'>): string {
  if (given)
    return `This is a mock answer: no ${getProvider(provider).name} key is set, so no model was asked.\n\n${given}`
  // What somebody wrote comes first; what a page adds stands in a paragraph of its own.
  const [first = ''] = askedIn(messages)
    .trim()
    .split(/\n\s*\n/)
  const asked = first.replace(/\s+/g, ' ')
  const quoted = asked.length > longestQuote ? `${asked.slice(0, longestQuote - 1)}…` : asked
  return (
    `This is a mock answer: no ${getProvider(provider).name} key is set, so no model was asked. ` +
    `You wrote: “${quoted}”${/[.!?…]$/.test(quoted) ? '' : '.'} ` +
    `With a key of your own, or one for the whole platform, the same message gets a real answer.`
  )
}
