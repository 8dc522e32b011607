import type { FinishReason } from '../model-request.ts'
import { isProviderError } from '../provider-error.ts'
import type { ToolCallPiece } from '../tool-call-pieces.ts'
import { asList, asObject, serverSentEvent, tokenCount, type Wire, type WirePiece } from './wire.ts'

const finishReasons: Record<string, FinishReason> = {
  stop: 'stop',
  // Together's word for a model that ended by itself.
  eos: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
}

const endMark = '[DONE]'
const retold = { id: 'answer', created: 0, model: 'model' }

/** OpenAI chat completions, which Together and most local servers speak too. */
export const openaiWire: Wire = {
  isEndMark: (data) => data.trim() === endMark,

  readEvent(name, value) {
    if (name === 'error' || isProviderError(value)) return { error: value, meaningful: true }
    const { choices, usage } = asObject(value)
    const choice = asList(choices)[0] ?? {}
    const delta = asObject(choice.delta)
    const piece = readChoice(choice, delta, usage)
    return {
      ...piece,
      meaningful: piece.finish !== undefined || piece.outputTokens !== undefined || saysSomething(delta),
    }
  },

  readWhole(value) {
    const { choices, usage } = asObject(value)
    const choice = asList(choices)[0]
    if (choice === undefined || typeof choice.message !== 'object') return undefined
    const piece = readChoice(choice, asObject(choice.message), usage)
    // Whole calls carry no number; without one, those without an id would run into each other.
    const toolCalls = piece.toolCalls?.map((call, index) => ({ ...call, index }))
    return { ...piece, ...(toolCalls && { toolCalls }), end: true, meaningful: true }
  },

  emptyStream:
    serverSentEvent({ ...retold, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) +
    serverSentEvent(endMark),
  retellWhole: (content) =>
    JSON.stringify({
      ...retold,
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    }),
}

function readChoice(
  choice: Record<string, unknown>,
  said: Record<string, unknown>,
  usage: unknown,
): Omit<WirePiece, 'meaningful'> {
  const refusal = textOf(said.refusal)
  const reason = typeof choice.finish_reason === 'string' ? (finishReasons[choice.finish_reason] ?? 'other') : undefined
  const { prompt_tokens, completion_tokens } = asObject(usage)
  return {
    text: textOf(said.content) + refusal,
    ...(said.tool_calls ? { toolCalls: asList(said.tool_calls).map(toolCallOf) } : undefined),
    // A refusal ends with an ordinary `stop`; only the field it came in tells.
    finish: refusal === '' ? reason : 'refusal',
    inputTokens: tokenCount(prompt_tokens),
    outputTokens: tokenCount(completion_tokens),
  }
}

/** Some compatible servers send the content as a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map(({ text }) => (typeof text === 'string' ? text : ''))
    .join('')
}

function toolCallOf({ index, id, function: called }: Record<string, unknown>): ToolCallPiece {
  const { name, arguments: given } = asObject(called)
  return {
    ...(typeof index === 'number' && { index }),
    ...(typeof id === 'string' && { id }),
    ...(typeof name === 'string' && { name }),
    // A few compatible servers send the object itself.
    ...(given !== undefined &&
      given !== null && { arguments: typeof given === 'string' ? given : JSON.stringify(given) }),
  }
}

function saysSomething(delta: Record<string, unknown>): boolean {
  return Object.values(delta).some(
    (value) => value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
}
