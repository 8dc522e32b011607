import { isObject } from '#server/values/is-object.ts'
import {
  type AnswerPart,
  type AnswerReader,
  type ChatApi,
  type ChatCall,
  getProviderTurn,
  omitUndefined,
  readFinishReason,
  type TokenCounts,
} from '../../chat-api.ts'
import { asList, asObject, asText } from '../../json-values.ts'
import type { ModelMessage } from '../../model-request.ts'
import { isProviderError } from '../../provider-error.ts'
import { ThinkTags } from '../../think-tags.ts'
import type { ToolCallChunk } from '../../tool-call-chunks.ts'
import { readTokens } from './token-counts.ts'

export const chatCompletionsApi: ChatApi = {
  id: 'chat-completions',
  getPath: () => '/chat/completions',

  buildBody(call) {
    const { model, system, messages, tools, mustCall, stream, settings } = call
    return omitUndefined({
      model,
      messages: [
        ...(system ? [{ role: 'system', content: system }] : []),
        ...messages.map((message) => toMessage(call, message)),
      ],
      max_tokens: settings.maxTokens,
      temperature: settings.temperature,
      top_p: settings.topP,
      frequency_penalty: settings.frequencyPenalty,
      presence_penalty: settings.presencePenalty,
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, parameters }) => ({
          type: 'function',
          function: { name, description, parameters },
        })),
        tool_choice: mustCall ? { type: 'function', function: { name: mustCall } } : 'auto',
      }),
      ...(stream && { stream: true, stream_options: { include_usage: true } }),
    })
  },

  createReader: () => new ChatCompletionsReader(),
}

function toMessage(call: ChatCall, message: ModelMessage): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  if (message.role === 'user' || !message.toolCalls?.length) return { role: message.role, content: message.content }
  const turn = getProviderTurn(call, message)
  return {
    role: 'assistant',
    content: message.content || null,
    tool_calls: message.toolCalls.map(({ id, name, arguments: input, extra }) => ({
      ...(turn !== undefined && extra),
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    })),
    ...asObject(turn),
  }
}

class ChatCompletionsReader implements AnswerReader {
  readonly #thinkTags = new ThinkTags()
  /** Some servers repeat the whole text at the end. */
  #deltaText = ''
  #reasoningContent: string | undefined
  readonly #reasoningDetails: Record<string, unknown>[] = []

  readEvent(name: string, value: unknown): AnswerPart {
    if (name === 'error' || isProviderError(value)) return { error: value }
    const response = asObject(value)
    const choice = asList(response.choices)[0]
    if (choice === undefined) return omitUndefined({ tokens: readUsage(response) })
    // A few servers send whole messages in their chunks.
    const part = this.#readChoice(choice, asObject(choice.delta ?? choice.message), response)
    const { text = '' } = part
    if (choice.delta) this.#deltaText += text
    else if (text.startsWith(this.#deltaText)) return { ...part, text: text.slice(this.#deltaText.length) }
    return part
  }

  readWhole(value: unknown): AnswerPart | undefined {
    const response = asObject(value)
    const choice = asList(response.choices)[0]
    if (choice === undefined || (typeof choice.message !== 'object' && typeof choice.text !== 'string'))
      return undefined
    const part = this.#readChoice(choice, asObject(choice.message), response)
    // Complete calls have no index; without one, calls without ids would be merged.
    return { ...part, toolCalls: part.toolCalls?.map((call, index) => ({ ...call, index })), end: true }
  }

  end(): Pick<AnswerPart, 'text' | 'reasoning'> {
    return this.#thinkTags.end()
  }

  getTurn(): unknown {
    return omitUndefined({
      reasoning_content: this.#reasoningContent,
      reasoning_details: this.#reasoningDetails.length > 0 ? this.#reasoningDetails : undefined,
    })
  }

  #readChoice(
    choice: Record<string, unknown>,
    message: Record<string, unknown>,
    response: Record<string, unknown>,
  ): AnswerPart {
    if (choice.error !== undefined && choice.error !== null) return { error: { error: choice.error } }
    const content = readContent(message.content ?? choice.text)
    const refusal = readContent(message.refusal).text
    const { text, reasoning } = this.#thinkTags.push(content.text + refusal)
    return {
      text,
      reasoning: this.#readReasoning(message) + content.reasoning + reasoning,
      toolCalls: readCalls(message),
      ...readFinishReason(choice.finish_reason),
      // A refusal ends with an ordinary `stop` and is recognizable only by its field.
      ...(refusal !== '' && { finish: 'refusal' as const }),
      tokens: readUsage(response, choice),
    }
  }

  #readReasoning(message: Record<string, unknown>): string {
    const { reasoning_content, reasoning, reasoning_text, thinking, reasoning_details } = message
    // Empty reasoning must be sent back too.
    if (typeof reasoning_content === 'string')
      this.#reasoningContent = (this.#reasoningContent ?? '') + reasoning_content
    const details = asList(reasoning_details)
    for (const detail of details) this.#storeDetail(detail)
    const texts = [reasoning_content, reasoning, asObject(reasoning).content, reasoning_text, thinking].map(asText)
    // Most services that send details repeat them as text.
    return texts.find((text) => text !== '') ?? details.map((detail) => asText(detail.text ?? detail.summary)).join('')
  }

  #storeDetail(detail: Record<string, unknown>): void {
    const lastDetail = this.#reasoningDetails.at(-1)
    const isContinuation =
      detail.type !== 'reasoning.encrypted' && lastDetail?.type === detail.type && lastDetail?.index === detail.index
    if (!lastDetail || !isContinuation) {
      this.#reasoningDetails.push({ ...detail })
      return
    }
    for (const [name, value] of Object.entries(detail)) {
      const isText = (name === 'text' || name === 'summary') && typeof value === 'string'
      if (isText) lastDetail[name] = asText(lastDetail[name]) + value
      else if (value !== null) lastDetail[name] = value
    }
  }
}

function readContent(content: unknown): { text: string; reasoning: string } {
  if (typeof content === 'string') return { text: content, reasoning: '' }
  let text = ''
  let reasoning = ''
  for (const part of asList(content)) {
    if (part.type === 'thinking' || part.type === 'reasoning')
      reasoning += readContent(part.thinking).text + asText(part.text)
    else text += asText(part.text)
  }
  return { text, reasoning }
}

function readListedCall(call: Record<string, unknown>, position: number): ToolCallChunk {
  const chunk = readCall(call)
  const isSeparate = position > 0 && chunk.index === undefined && !chunk.id && Boolean(chunk.name)
  return isSeparate ? { ...chunk, isSeparate } : chunk
}

const standardCallFields = ['index', 'id', 'type', 'function']

function readUsage(response: Record<string, unknown>, choice: Record<string, unknown> = {}): TokenCounts | undefined {
  return readTokens(response.usage ?? choice.usage ?? asObject(response.x_groq).usage)
}

function readCalls({ tool_calls, function_call }: Record<string, unknown>): ToolCallChunk[] | undefined {
  if (function_call) return [readCall({ index: 0, function: function_call })]
  const calls = asList(isObject(tool_calls) ? [tool_calls] : tool_calls)
  return calls.length > 0 ? calls.map(readListedCall) : undefined
}

function readCall(call: Record<string, unknown>): ToolCallChunk {
  const { index, id, function: calledFunction } = call
  const { name, arguments: input } = asObject(calledFunction)
  const extraFields = Object.entries(call).filter(
    ([field, value]) => !standardCallFields.includes(field) && value !== null,
  )
  return omitUndefined({
    index: readIndex(index),
    id: typeof id === 'string' ? id : undefined,
    name: typeof name === 'string' ? name : undefined,
    arguments: toArgumentsText(input),
    extra: extraFields.length > 0 ? Object.fromEntries(extraFields) : undefined,
  })
}

function readIndex(index: unknown): number | undefined {
  const value = typeof index === 'string' && /^\d{1,4}$/.test(index) ? Number(index) : index
  return typeof value === 'number' ? value : undefined
}

/** A few compatible servers send an object instead of text. */
function toArgumentsText(input: unknown): string | undefined {
  if (input === undefined || input === null) return undefined
  return typeof input === 'string' ? input : JSON.stringify(input)
}
