import {
  type AnswerPart,
  type AnswerReader,
  type ChatApi,
  type ChatCall,
  getProviderTurn,
  omitUndefined,
} from '../../chat-api.ts'
import { asList, asObject, asText } from '../../json-values.ts'
import type { ModelMessage } from '../../model-request.ts'
import { isProviderError } from '../../provider-error.ts'
import type { ToolCallChunk } from '../../tool-call-chunks.ts'
import { readTokens } from './token-counts.ts'

/** OpenAI's reasoning models need this API for tools. Nothing is stored there: encrypted thoughts are sent back. */
export const responsesApi: ChatApi = {
  id: 'responses',
  getPath: () => '/responses',

  buildBody(call) {
    const { model, system, messages, tools, mustCall, stream, settings } = call
    return omitUndefined({
      model,
      instructions: system || undefined,
      input: messages.flatMap((message) => toItems(call, message)),
      max_output_tokens: settings.maxTokens,
      temperature: settings.temperature,
      top_p: settings.topP,
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, parameters }) => ({
          type: 'function',
          name,
          description,
          parameters,
          strict: false,
        })),
        tool_choice: mustCall ? { type: 'function', name: mustCall } : 'auto',
      }),
      reasoning: { summary: 'auto' },
      include: ['reasoning.encrypted_content'],
      store: false,
      ...(stream && { stream: true }),
    })
  },

  createReader: () => new ResponsesReader(),
}

function toItems(call: ChatCall, message: ModelMessage): unknown[] {
  if (message.role === 'tool')
    return [{ type: 'function_call_output', call_id: message.callId, output: message.content }]
  const turn = getProviderTurn(call, message)
  if (Array.isArray(turn)) return turn
  const text = message.content === '' ? [] : [{ role: message.role, content: message.content }]
  if (message.role === 'user') return text
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: input }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: JSON.stringify(input),
  }))
  return [...text, ...calls]
}

class ResponsesReader implements AnswerReader {
  readonly #items: unknown[] = []
  /** Calls without their final event, by position or id. */
  readonly #openCalls = new Map<unknown, Record<string, unknown>>()
  #hasText = false
  #hasReasoning = false
  #callCount = 0
  readonly #callIds = new Set<unknown>()
  #isRefusal = false

  readEvent(name: string, value: unknown): AnswerPart {
    const event = asObject(value)
    if (name === 'error' || isProviderError(value)) return { error: value }
    switch (event.type) {
      case 'response.output_text.delta':
        return this.#readText(event.delta)
      case 'response.refusal.delta':
        this.#isRefusal = true
        return this.#readText(event.delta)
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.#hasReasoning = true
        return { reasoning: asText(event.delta) }
      case 'response.reasoning_summary_part.added':
        return { reasoning: this.#hasReasoning ? '\n\n' : '' }
      case 'response.output_text.done':
        return this.#hasText ? {} : this.#readText(event.text)
      case 'response.output_item.added':
        this.#openCall(event)
        return {}
      case 'response.function_call_arguments.delta':
      case 'response.function_call_arguments.done':
        this.#addArguments(event)
        return {}
      case 'response.output_item.done':
        return this.#readItem(this.#closeCall(event), { isStreamed: true })
      case 'response.completed':
      case 'response.incomplete':
        return this.#readEnd(asObject(event.response))
      default:
        return {}
    }
  }

  readWhole(value: unknown): AnswerPart | undefined {
    const response = asObject(value)
    return Array.isArray(response.output) ? this.#readEnd(response) : undefined
  }

  getTurn(): unknown {
    return this.#items.length > 0 ? this.#items : undefined
  }

  #readText(text: unknown): AnswerPart {
    this.#hasText = true
    return { text: asText(text) }
  }

  #openCall(event: Record<string, unknown>): void {
    const item = asObject(event.item)
    if (item.type === 'function_call') this.#openCalls.set(event.output_index ?? item.id, { ...item })
  }

  #addArguments({ output_index, item_id, delta, arguments: whole }: Record<string, unknown>): void {
    const call = this.#openCalls.get(output_index ?? item_id)
    if (call) call.arguments = typeof whole === 'string' ? whole : asText(call.arguments) + asText(delta)
  }

  /** Some servers leave the arguments out of the final item. */
  #closeCall(event: Record<string, unknown>): Record<string, unknown> {
    const item = asObject(event.item)
    const key = event.output_index ?? item.id
    const call = this.#openCalls.get(key)
    this.#openCalls.delete(key)
    return call && item.arguments === '' ? { ...item, arguments: call.arguments } : item
  }

  #readItem(item: Record<string, unknown>, { isStreamed }: { isStreamed: boolean }): AnswerPart {
    this.#items.push(item)
    if (item.type === 'function_call') {
      if (item.call_id !== undefined) this.#callIds.add(item.call_id)
      return { toolCalls: [this.#readCall(item)] }
    }
    if (item.type === 'message' && !(isStreamed && this.#hasText)) {
      const parts = asList(item.content)
      this.#isRefusal ||= parts.some(({ type }) => type === 'refusal')
      return { text: parts.map(({ text, refusal }) => asText(text) + asText(refusal)).join('') }
    }
    if (item.type === 'reasoning' && !(isStreamed && this.#hasReasoning)) {
      const texts = [...asList(item.summary), ...asList(item.content)].map(({ text }) => asText(text))
      return { reasoning: texts.filter((text) => text !== '').join('\n\n') }
    }
    return {}
  }

  #isRead({ call_id }: Record<string, unknown>): boolean {
    return call_id !== undefined && this.#callIds.has(call_id)
  }

  #readCall({ call_id, id, name, arguments: input }: Record<string, unknown>): ToolCallChunk {
    return {
      index: this.#callCount++,
      id: asText(call_id) || asText(id),
      name: asText(name),
      arguments: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    }
  }

  /** Some servers send all items or all calls only in the last event, or calls without a final event. */
  #readEnd({ status, output, usage, incomplete_details, error }: Record<string, unknown>): AnswerPart {
    if (status === 'failed' || (error !== undefined && error !== null)) return { error: { error } }
    const hasItems = this.#items.length > 0
    // Without the end of an answer a call is cut off.
    const openCalls = status === 'incomplete' ? [] : [...this.#openCalls.values()].filter((call) => !this.#isRead(call))
    const hasMessage = this.#hasText || this.#items.some((item) => asObject(item).type === 'message')
    const missingItems = asList(output).filter(({ type, call_id }) => {
      if (type === 'function_call' && call_id !== undefined)
        return !this.#isRead({ call_id }) && !openCalls.some((call) => call.call_id === call_id)
      return !hasItems || (type === 'message' && !hasMessage)
    })
    const parts = [...openCalls, ...missingItems].map((item) => this.#readItem(item, { isStreamed: this.#hasText }))
    const { reason } = asObject(incomplete_details)
    return {
      text: parts.map(({ text = '' }) => text).join(''),
      reasoning: parts.map(({ reasoning = '' }) => reasoning).join(''),
      toolCalls: parts.flatMap(({ toolCalls = [] }) => toolCalls),
      ...this.#readFinish(status, reason),
      tokens: readTokens(usage),
      end: true,
    }
  }

  #readFinish(status: unknown, reason: unknown): Pick<AnswerPart, 'finish' | 'unknownFinishReason'> {
    if (reason === 'max_output_tokens' || reason === 'max_tokens') return { finish: 'length' }
    if (reason === 'content_filter') return { finish: 'content-filter' }
    if (typeof reason === 'string') return { finish: 'other', unknownFinishReason: reason }
    if (status !== undefined && status !== 'completed') return { finish: 'other', unknownFinishReason: String(status) }
    if (this.#isRefusal) return { finish: 'refusal' }
    return { finish: this.#callCount > 0 ? 'tool-calls' : 'stop' }
  }
}
