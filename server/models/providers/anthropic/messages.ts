import {
  type AnswerPart,
  type AnswerReader,
  type ChatApi,
  type ChatCall,
  getProviderTurn,
  omitUndefined,
  readFinishReason,
  type TokenCounts,
  toTurns,
} from '../../chat-api.ts'
import { asList, asObject, asText, parseJson, readTokenCount, sumTokenCounts } from '../../json-values.ts'
import type { ModelMessage } from '../../model-request.ts'
import { isProviderError } from '../../provider-error.ts'
import type { ToolCallChunk } from '../../tool-call-chunks.ts'

const defaultMaxTokens = 8192
/** Shorter prefixes aren't cached. In characters, about four per token. */
const minCachedCharacters = 4 * 1024

export const messagesApi: ChatApi = {
  id: 'messages',
  getPath: () => '/messages',

  buildBody(call) {
    const { model, system, tools, mustCall, stream, settings } = call
    const toolDefinitions = tools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    }))
    const prefixLength = (system?.length ?? 0) + (tools.length > 0 ? JSON.stringify(toolDefinitions).length : 0)
    const isPrefixReused = tools.length > 0 || call.messages.length > 1
    const cacheControl = isPrefixReused &&
      prefixLength >= minCachedCharacters && { cache_control: { type: 'ephemeral' } }
    return omitUndefined({
      model,
      max_tokens: settings.maxTokens ?? defaultMaxTokens,
      system: system ? [{ type: 'text', text: system, ...cacheControl }] : undefined,
      messages: toTurns(call, toBlocks).map(({ role, parts }) => ({ role, content: parts })),
      temperature: settings.temperature,
      top_p: settings.topP,
      ...(tools.length > 0 && {
        tools: toolDefinitions,
        tool_choice: mustCall ? { type: 'tool', name: mustCall } : { type: 'auto' },
      }),
      ...(stream && { stream: true }),
    })
  },

  createReader: () => new MessagesReader(),
}

type Block = Record<string, unknown>

/** Tool results belong to the user's turn. Blank texts would be refused. */
function toBlocks(call: ChatCall, message: ModelMessage): Block[] {
  if (message.role === 'tool') {
    const { callId, content, failed } = message
    return [
      {
        type: 'tool_result',
        tool_use_id: callId,
        content: content.trim() === '' ? 'Nothing.' : content,
        ...(failed && { is_error: true }),
      },
    ]
  }
  const turn = getProviderTurn(call, message)
  if (Array.isArray(turn)) return turn as Block[]
  const text = message.content.trim() === '' ? [] : [{ type: 'text', text: message.content }]
  if (message.role === 'user') return text
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: input }) => ({
    type: 'tool_use',
    id,
    name,
    input,
  }))
  return [...text, ...calls]
}

class MessagesReader implements AnswerReader {
  readonly #blocks = new Map<number, Block>()
  readonly #inputs = new Map<number, string>()

  readEvent(name: string, value: unknown): AnswerPart {
    if (name === 'error' || isProviderError(value)) return { error: value }
    const { type, index, message, content_block, delta, usage } = asObject(value)
    const blockIndex = typeof index === 'number' ? index : this.#blocks.size - 1
    switch (type) {
      case 'message_start':
        return { ...this.#startMessage(), tokens: readTokens(asObject(message).usage) }
      case 'content_block_start':
        return this.#startBlock(typeof index === 'number' ? index : this.#blocks.size, asObject(content_block))
      case 'content_block_delta':
        return this.#appendDelta(blockIndex, asObject(delta))
      case 'message_delta':
        return { ...readFinishReason(asObject(delta).stop_reason), tokens: readTokens(usage) }
      case 'message_stop':
        return { end: true }
      default:
        return {}
    }
  }

  readWhole(value: unknown): AnswerPart | undefined {
    const { type, content, stop_reason, usage } = asObject(value)
    if (type !== 'message' || !Array.isArray(content)) return undefined
    const parts = asList(content).map((block, index) => this.#startBlock(index, block))
    return {
      text: parts.map(({ text = '' }) => text).join(''),
      reasoning: parts.map(({ reasoning = '' }) => reasoning).join(''),
      toolCalls: parts.flatMap(({ toolCalls = [] }) => toolCalls),
      ...readFinishReason(stop_reason),
      tokens: readTokens(usage),
      end: true,
    }
  }

  getTurn(): unknown {
    const blocks = [...this.#blocks].toSorted(([a], [b]) => a - b)
    return blocks.flatMap(([index, block]) => {
      if (block.type === 'text' && asText(block.text).trim() === '') return []
      const input = this.#inputs.get(index)
      return [input === undefined ? block : { ...block, input: asObject(parseJson(input)) }]
    })
  }

  /** A proxy can retry mid-answer, which leaves the first attempt's calls incomplete. */
  #startMessage(): AnswerPart {
    const isRestart = this.#blocks.size > 0
    this.#blocks.clear()
    this.#inputs.clear()
    return isRestart ? { restart: true } : {}
  }

  #startBlock(index: number, block: Block): AnswerPart {
    this.#blocks.set(index, { ...block })
    return { ...readBlock(block), toolCalls: readCall(index, block) }
  }

  #appendDelta(index: number, delta: Block): AnswerPart {
    const block = this.#blocks.get(index)
    if (block) {
      for (const [name, value] of Object.entries(delta)) {
        if (name === 'type' || name === 'partial_json') continue
        // A signature arrives whole, texts in chunks.
        block[name] = typeof value === 'string' ? asText(block[name]) + value : value
      }
    }
    const json = delta.partial_json
    if (typeof json !== 'string') return readBlock(delta)
    if (block?.type !== 'tool_use') return {}
    this.#inputs.set(index, (this.#inputs.get(index) ?? '') + json)
    return { toolCalls: [{ index, arguments: json }] }
  }
}

function readBlock({ text, thinking }: Block): AnswerPart {
  return { text: asText(text), reasoning: asText(thinking) }
}

function readCall(index: number, { type, id, name, input }: Block): ToolCallChunk[] | undefined {
  if (type !== 'tool_use' || typeof name !== 'string') return undefined
  const isEmpty = input === undefined || input === null || input === ''
  const json = isEmpty ? '{}' : JSON.stringify(input)
  return [{ index, id: asText(id), name, ...(json !== '{}' && { arguments: json }) }]
}

function readTokens(usage: unknown): TokenCounts | undefined {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = asObject(usage)
  const hasInput = input_tokens !== undefined && input_tokens !== null
  return omitUndefined({
    input: hasInput ? sumTokenCounts(input_tokens, cache_creation_input_tokens, cache_read_input_tokens) : undefined,
    output: readTokenCount(output_tokens),
    cachedInput: readTokenCount(cache_read_input_tokens),
    cacheWrites: readTokenCount(cache_creation_input_tokens),
  })
}
