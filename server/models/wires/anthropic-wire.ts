import type { FinishReason } from '../model-request.ts'
import { isProviderError } from '../provider-error.ts'
import type { ToolCallPiece } from '../tool-call-pieces.ts'
import { asObject, serverSentEvent, tokenCount, type Wire, type WirePiece } from './wire.ts'

const finishReasons: Record<string, FinishReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refusal',
  tool_use: 'tool-calls',
}

const event = (type: string, fields: object = {}) => serverSentEvent({ type, ...fields }, type)

/** Anthropic messages. */
export const anthropicWire: Wire = {
  isEndMark: () => false,

  readEvent(name, value) {
    if (name === 'error' || isProviderError(value)) return { error: value, meaningful: true }
    const { type, index, message, content_block, delta, usage } = asObject(value)
    switch (type) {
      case 'message_start':
        return { inputTokens: inputTokensOf(asObject(message).usage), meaningful: true }
      case 'content_block_start':
        return { text: textOf(content_block), ...toolCallsIn(index, content_block), meaningful: true }
      case 'content_block_delta':
        return {
          text: textOf(delta),
          ...moreArguments(index, delta),
          meaningful: Object.keys(asObject(delta)).length > 0,
        }
      case 'message_delta':
        return {
          finish: finishOf(asObject(delta).stop_reason),
          inputTokens: inputTokensOf(usage),
          outputTokens: tokenCount(asObject(usage).output_tokens),
          meaningful: true,
        }
      case 'message_stop':
        return { end: true, meaningful: true }
      default:
        return { meaningful: false }
    }
  },

  readWhole(value) {
    const { type, content, stop_reason, usage } = asObject(value)
    if (type !== 'message' || !Array.isArray(content)) return undefined
    return {
      text: content.map(textOf).join(''),
      toolCalls: content.flatMap((block, index) => toolCallsIn(index, block)?.toolCalls ?? []),
      finish: finishOf(stop_reason),
      inputTokens: inputTokensOf(usage),
      outputTokens: tokenCount(asObject(usage).output_tokens),
      end: true,
      meaningful: true,
    }
  },

  emptyStream:
    event('message_start', {
      message: { id: 'answer', model: 'model', role: 'assistant', usage: { input_tokens: 0 } },
    }) +
    event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 0 } }) +
    event('message_stop'),
  retellWhole: (text) =>
    JSON.stringify({
      type: 'message',
      id: 'answer',
      model: 'model',
      role: 'assistant',
      content: [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 0, output_tokens: 0 },
    }),
}

function textOf(block: unknown): string {
  const { text } = asObject(block)
  return typeof text === 'string' ? text : ''
}

/** A streamed block begins with an empty input, whose JSON follows in pieces; in a plain answer it is all there. */
function toolCallsIn(index: unknown, block: unknown): { toolCalls: ToolCallPiece[] } | undefined {
  const { type, id, name, input } = asObject(block)
  if (type !== 'tool_use' || typeof name !== 'string') return undefined
  const given = input !== undefined && JSON.stringify(input) !== '{}'
  return {
    toolCalls: [
      {
        ...(typeof index === 'number' && { index }),
        ...(typeof id === 'string' && { id }),
        name,
        ...(given && { arguments: JSON.stringify(input) }),
      },
    ],
  }
}

function moreArguments(index: unknown, delta: unknown): { toolCalls: ToolCallPiece[] } | undefined {
  const { partial_json } = asObject(delta)
  if (typeof partial_json !== 'string') return undefined
  return { toolCalls: [{ ...(typeof index === 'number' && { index }), arguments: partial_json }] }
}

function finishOf(reason: unknown): FinishReason | undefined {
  return typeof reason === 'string' ? (finishReasons[reason] ?? 'other') : undefined
}

function inputTokensOf(usage: unknown): WirePiece['inputTokens'] {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = asObject(usage)
  if (input_tokens === undefined || input_tokens === null) return undefined
  return tokenCount(input_tokens, cache_creation_input_tokens, cache_read_input_tokens)
}
