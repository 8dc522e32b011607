import type { FinishReason, ModelMessage, ModelRequest } from './model-request.ts'
import type { ToolCallChunk } from './tool-call-pieces.ts'

/** Token counts of one answer; each is left out where the provider did not send it. */
export interface TokenCounts {
  /** With those read from and written to the provider's cache. */
  input?: number | undefined
  /** With those spent on thinking. */
  output?: number | undefined
  cachedInput?: number | undefined
  cacheWrites?: number | undefined
}

/** One event of a stream, or one whole answer. */
export interface AnswerPart {
  text?: string | undefined
  /** The model's thoughts; shown, but never part of the answer. */
  reasoning?: string | undefined
  toolCalls?: ToolCallChunk[] | undefined
  finish?: FinishReason | undefined
  /** The provider's finish reason where it is not in our table. */
  finishWord?: string | undefined
  tokens?: TokenCounts | undefined
  /** The provider's error: the answer failed although its status was 200. */
  error?: unknown
  /** The answer starts again; tool calls so far do not count. */
  restart?: boolean
  /** The answer is complete. */
  end?: boolean
  /** The provider has more of this answer and gives it to the same request with this token. */
  continuation?: string | undefined
}

/** The settings of a request as its provider takes them; one that is left out has the model's default. */
export interface CallSettings {
  temperature?: number
  maxTokens?: number
  topP?: number
  frequencyPenalty?: number
  presencePenalty?: number
}

export interface ChatCall extends Pick<ModelRequest, 'system' | 'messages' | 'mustCall' | 'stream'> {
  model: string
  /** Identifies the author of a turn, which is only sent back to the same model of the same provider. */
  turnKey: string
  tools: NonNullable<ModelRequest['tools']>
  settings: CallSettings
}

/** Reads one answer, and collects the turn its provider wants back with the next request. */
export interface AnswerReader {
  readEvent(name: string, value: unknown): AnswerPart
  /** undefined: this is no answer of this API. */
  readWhole(value: unknown): AnswerPart | undefined
  /** Flushes text that was buffered until the end of the answer. */
  end?(): Pick<AnswerPart, 'text' | 'reasoning'>
  /** The turn as the provider wants it back, uninterpreted; undefined where text and tool calls say it all. */
  getTurn(): unknown
}

/** The request and answer format of one family of providers. */
export interface ChatApi {
  id: string
  /** The path of a call below the base address, with its query. */
  getPath(call: ChatCall): string
  buildBody(call: ChatCall): Record<string, unknown>
  /** A line of data that is no JSON and ends the stream. */
  endMark?: string
  createReader(): AnswerReader
}

/** The turn from {@link AnswerReader.getTurn}, if this model wrote it. */
export function getProviderTurn({ turnKey }: Pick<ChatCall, 'turnKey'>, message: ModelMessage): unknown {
  return message.role === 'assistant' && message.turn?.key === turnKey ? message.turn.value : undefined
}

/** Every API's own, with those of servers that only speak like it. */
const finishReasons: Record<string, FinishReason | 'failed'> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  // Together's word for a model that ended by itself.
  eos: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'content-filter',
  safety: 'content-filter',
  sensitive: 'content-filter',
  recitation: 'content-filter',
  blocklist: 'content-filter',
  prohibited_content: 'content-filter',
  spii: 'content-filter',
  image_safety: 'content-filter',
  image_prohibited_content: 'content-filter',
  image_recitation: 'content-filter',
  refusal: 'refusal',
  tool_calls: 'tool-calls',
  tool_use: 'tool-calls',
  function_call: 'tool-calls',
  error: 'failed',
  network_error: 'failed',
  insufficient_system_resource: 'failed',
  malformed_function_call: 'failed',
  malformed_response: 'failed',
  unexpected_tool_call: 'failed',
  too_many_tool_calls: 'failed',
}

/** Ignores case. An empty reason counts as none. */
export function readFinish(reason: unknown): Partial<AnswerPart> {
  if (typeof reason !== 'string' || reason.trim() === '') return {}
  const finish = finishReasons[reason.trim().toLowerCase()]
  if (finish === undefined) return { finish: 'other', finishWord: reason }
  if (finish !== 'failed') return { finish }
  return { error: { error: { message: `The answer ended with "${reason}".`, type: 'server_error' } } }
}

/** Messages as turns that alternate: one of the same role joins the turn before it, and an empty one is left out. */
export function toTurns<Part>(
  call: ChatCall,
  toParts: (call: ChatCall, message: ModelMessage) => Part[],
): { role: 'user' | 'assistant'; parts: Part[] }[] {
  const turns: { role: 'user' | 'assistant'; parts: Part[] }[] = []
  for (const message of call.messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const parts = toParts(call, message)
    const last = turns.at(-1)
    if (parts.length === 0) continue
    if (last?.role === role) last.parts.push(...parts)
    else turns.push({ role, parts })
  }
  return turns
}

/** Removes what is undefined, so that it neither overwrites nor is sent. */
export function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}
