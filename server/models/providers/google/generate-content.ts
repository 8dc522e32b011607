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
import { asList, asObject, asText, readTokenCount, sumTokenCounts } from '../../json-values.ts'
import type { ModelMessage } from '../../model-request.ts'
import { isProviderError } from '../../provider-error.ts'

/** Replaces a missing signature, such as in another model's turn. */
const placeholderSignature = 'skip_thought_signature_validator'

/** Ids that Keeper generates for calls of older models, which have none. */
const generatedIdPattern = /^call_\d+$/

export const generateContentApi: ChatApi = {
  id: 'generate-content',
  getPath: ({ model, stream }) =>
    `/models/${encodeURIComponent(model.replace(/^models\//, ''))}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,

  buildBody(call) {
    const { system, tools, mustCall, settings } = call
    return omitUndefined({
      systemInstruction: system ? { parts: [{ text: system }] } : undefined,
      contents: toTurns(call, toParts).map(({ role, parts }) => ({ role: role === 'user' ? role : 'model', parts })),
      ...(tools.length > 0 && {
        tools: [
          {
            functionDeclarations: tools.map(({ name, description, parameters }) => ({
              name,
              description,
              parametersJsonSchema: parameters,
            })),
          },
        ],
        toolConfig: {
          functionCallingConfig: mustCall ? { mode: 'ANY', allowedFunctionNames: [mustCall] } : { mode: 'AUTO' },
        },
      }),
      generationConfig: omitUndefined({
        maxOutputTokens: settings.maxTokens,
        temperature: settings.temperature,
        topP: settings.topP,
        frequencyPenalty: settings.frequencyPenalty,
        presencePenalty: settings.presencePenalty,
        thinkingConfig: { includeThoughts: true },
      }),
    })
  },

  createReader: () => new GenerateContentReader(),
}

function toParts(call: ChatCall, message: ModelMessage): unknown[] {
  if (message.role === 'tool') {
    const { callId, name, content, failed } = message
    const id = generatedIdPattern.test(callId) ? {} : { id: callId }
    return [{ functionResponse: { ...id, name, response: failed ? { error: content } : { result: content } } }]
  }
  const turn = getProviderTurn(call, message)
  if (Array.isArray(turn)) return turn
  const text = message.content.trim() === '' ? [] : [{ text: message.content }]
  if (message.role === 'user') return text
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: args }, index) => ({
    functionCall: { ...(!generatedIdPattern.test(id) && { id }), name, args },
    ...(index === 0 && { thoughtSignature: placeholderSignature }),
  }))
  return [...text, ...calls]
}

class GenerateContentReader implements AnswerReader {
  readonly #parts: Record<string, unknown>[] = []
  #callCount = 0

  readEvent(_name: string, value: unknown): AnswerPart {
    return this.readWhole(value) ?? {}
  }

  readWhole(value: unknown): AnswerPart | undefined {
    if (isProviderError(value)) return { error: value }
    const { candidates, promptFeedback, usageMetadata } = asObject(value)
    const candidate = asList(candidates)[0]
    const tokens = readTokens(usageMetadata)
    if (!candidate) {
      const { blockReason } = asObject(promptFeedback)
      if (typeof blockReason === 'string') return { finish: 'content-filter', tokens, end: true }
      return tokens && { tokens }
    }
    const parts = asList(asObject(candidate.content).parts)
    const answer: AnswerPart = { text: '', reasoning: '', toolCalls: [], tokens }
    for (const part of parts) this.#readPart(part, answer)
    const { finishReason, continuationToken } = candidate
    if (finishReason === 'CONTINUATION' && typeof continuationToken === 'string')
      return { ...answer, continuation: continuationToken }
    const finish = readFinishReason(finishReason)
    return {
      ...answer,
      ...finish,
      ...(finish.finish === 'stop' && this.#callCount > 0 && { finish: 'tool-calls' as const }),
    }
  }

  getTurn(): unknown {
    return this.#parts
  }

  #readPart(part: Record<string, unknown>, answer: AnswerPart): void {
    this.#storePart(part)
    if (part.functionCall) {
      const { id, name, args } = asObject(part.functionCall)
      const index = this.#callCount++
      answer.toolCalls?.push({
        index,
        id: asText(id) || `call_${index}`,
        name: asText(name),
        arguments: JSON.stringify(args ?? {}),
      })
    } else if (part.thought === true) answer.reasoning += asText(part.text)
    else answer.text += asText(part.text)
  }

  #storePart(part: Record<string, unknown>): void {
    const lastPart = this.#parts.at(-1)
    const isContinuation =
      lastPart !== undefined &&
      typeof lastPart.text === 'string' &&
      typeof part.text === 'string' &&
      lastPart.thought === part.thought &&
      lastPart.thoughtSignature === undefined
    if (isContinuation) Object.assign(lastPart, part, { text: `${lastPart.text}${part.text}` })
    else this.#parts.push({ ...part })
  }
}

/** Thoughts are billed as output but not counted in the candidates' tokens. */
function readTokens(usage: unknown): TokenCounts | undefined {
  const {
    promptTokenCount,
    toolUsePromptTokenCount,
    candidatesTokenCount,
    thoughtsTokenCount,
    cachedContentTokenCount,
  } = asObject(usage)
  if (promptTokenCount === undefined) return undefined
  return omitUndefined({
    input: sumTokenCounts(promptTokenCount, toolUsePromptTokenCount),
    output: sumTokenCounts(candidatesTokenCount ?? 0, thoughtsTokenCount),
    cachedInput: readTokenCount(cachedContentTokenCount),
  })
}
