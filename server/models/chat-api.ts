import type { FinishReason, ModelMessage, ModelRequest } from './model-request.ts'
import type { ToolCallChunk } from './tool-call-chunks.ts'

export interface TokenCounts {
  /** Includes tokens read from and written to the provider's cache. */
  input?: number | undefined
  output?: number | undefined
  cachedInput?: number | undefined
  cacheWrites?: number | undefined
}

export interface AnswerPart {
  text?: string | undefined
  reasoning?: string | undefined
  toolCalls?: ToolCallChunk[] | undefined
  finish?: FinishReason | undefined
  unknownFinishReason?: string | undefined
  tokens?: TokenCounts | undefined
  /** An error inside an answer with status 200. */
  error?: unknown
  /** The provider starts its answer again; earlier tool calls are void. */
  restart?: boolean
  end?: boolean
  /** A token with which the next request continues the answer. */
  continuation?: string | undefined
}

export interface CallSettings {
  temperature?: number
  maxTokens?: number
  topP?: number
  frequencyPenalty?: number
  presencePenalty?: number
}

export interface ChatCall extends Pick<ModelRequest, 'system' | 'messages' | 'mustCall' | 'stream'> {
  model: string
  /** Identifies a turn's author; turns are sent back only to the same model of the same provider. */
  turnKey: string
  tools: NonNullable<ModelRequest['tools']>
  settings: CallSettings
}

export interface AnswerReader {
  readEvent(name: string, value: unknown): AnswerPart
  readWhole(value: unknown): AnswerPart | undefined
  end?(): Pick<AnswerPart, 'text' | 'reasoning'>
  getTurn(): unknown
}

export interface ChatApi {
  id: string
  getPath(call: ChatCall): string
  buildBody(call: ChatCall): Record<string, unknown>
  createReader(): AnswerReader
}

export function getProviderTurn({ turnKey }: Pick<ChatCall, 'turnKey'>, message: ModelMessage): unknown {
  return message.role === 'assistant' && message.turn?.key === turnKey ? message.turn.value : undefined
}

const finishReasons: Record<string, FinishReason | 'failed'> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  // Together's reason for a regular end.
  eos: 'stop',
  eos_token: 'stop',
  complete: 'stop',
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
  abort: 'failed',
  aborted: 'failed',
  cancelled: 'failed',
  insufficient_system_resource: 'failed',
  malformed_function_call: 'failed',
  malformed_response: 'failed',
  unexpected_tool_call: 'failed',
  too_many_tool_calls: 'failed',
}

export function readFinishReason(reason: unknown): Partial<AnswerPart> {
  if (typeof reason !== 'string' || reason.trim() === '') return {}
  const mappedReason = finishReasons[reason.trim().toLowerCase()]
  if (mappedReason === undefined) return { finish: 'other', unknownFinishReason: reason }
  if (mappedReason !== 'failed') return { finish: mappedReason }
  return { error: { error: { message: `The answer ended with "${reason}".`, type: 'server_error' } } }
}

export function toTurns<Part>(
  call: ChatCall,
  toParts: (call: ChatCall, message: ModelMessage) => Part[],
): { role: 'user' | 'assistant'; parts: Part[] }[] {
  const turns: { role: 'user' | 'assistant'; parts: Part[] }[] = []
  for (const message of call.messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const parts = toParts(call, message)
    const lastTurn = turns.at(-1)
    if (parts.length === 0) continue
    if (lastTurn?.role === role) lastTurn.parts.push(...parts)
    else turns.push({ role, parts })
  }
  return turns
}

export function omitUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T
}
