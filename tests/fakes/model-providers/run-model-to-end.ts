import type { Provider } from '#contract/agents/model-settings.ts'
import { type ModelEvent, ModelFailure, type ModelRequest, runModel } from '#server/models/run-model.ts'
import { createVirtualRuntime, type VirtualRuntime } from './virtual-runtime.ts'

/** Distinctive values, easy to find where they must not appear. */
export const canaryKey = 'sk-canary-4f7a9c1e5b3d8f60aa'
export const canaryPrompt = 'Tell me about the walled garden behind the grey house, please.'
export const canarySystem = 'You are Kip. The gate code of the house is nightingale forty-two.'

/** Short enough for tests, long enough for a busy machine. */
export const shortLimits = { connectMs: 600, firstByteMs: 600, idleMs: 300, noProgressMs: 120_000 }

export interface ModelRunResult {
  /** `ok:stop`, or the error code of the failure. */
  outcome: string
  events: ModelEvent[]
  text: string
  attempts: number
  waits: number[]
  failure?: ModelFailure
  finish?: Extract<ModelEvent, { type: 'finish' }>
}

export type ModelQuestion = Partial<Omit<ModelRequest, 'settings' | 'provider'>> & {
  provider: Provider
  baseUrl: string | null
  model?: string
  temperature?: number
  maxTokens?: number
  topP?: number
  frequencyPenalty?: number
  presencePenalty?: number
  maxRetries?: number
  retryDelayMs?: number
  key?: string | null
}

/** Runs a model until it finishes or fails and records the outcome. */
export async function runModelToEnd(
  question: ModelQuestion,
  runtime: VirtualRuntime = createVirtualRuntime(),
): Promise<ModelRunResult> {
  const result: ModelRunResult = { outcome: 'unfinished', events: [], text: '', attempts: 0, waits: runtime.waits }
  try {
    for await (const event of runModel(runtime, toModelRequest(question))) {
      result.events.push(event)
      if (event.type === 'attempt') result.attempts = event.number
      if (event.type === 'text') result.text += event.delta
      if (event.type === 'finish') {
        result.finish = event
        result.outcome = `ok:${event.reason}`
      }
    }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error
    result.failure = error
    result.outcome = error.code
  }
  return result
}

export function toModelRequest(question: ModelQuestion): ModelRequest {
  const {
    provider,
    baseUrl,
    key = canaryKey,
    model = 'gpt-4o',
    temperature = 0.7,
    maxTokens = 200,
    maxRetries = 2,
    retryDelayMs = 100,
  } = question
  return {
    provider,
    settings: {
      model,
      temperature,
      max_tokens: maxTokens,
      ...(question.topP !== undefined && { top_p: question.topP }),
      ...(question.frequencyPenalty !== undefined && { frequency_penalty: question.frequencyPenalty }),
      ...(question.presencePenalty !== undefined && { presence_penalty: question.presencePenalty }),
      retry: { max_retries: maxRetries, retry_delay_ms: retryDelayMs },
    },
    system: question.system ?? canarySystem,
    messages: question.messages ?? [{ role: 'user', content: canaryPrompt }],
    ...(question.tools && { tools: question.tools }),
    mustCall: question.mustCall,
    credential: { key, baseUrl },
    stream: question.stream ?? true,
    signal: question.signal ?? new AbortController().signal,
    limits: { ...shortLimits, ...question.limits },
  }
}
