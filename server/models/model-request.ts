import type { ModelSettings, Provider } from '#contract/agents/model-settings.ts'
import type { ModelFailure } from './model-failure.ts'
import type { ModelLimits, ModelTimeouts } from './model-limits.ts'

export interface Credential {
  /** null: call without a key, which only makes sense with a `baseUrl` (a local server). */
  key: string | null
  /** Includes the version path, such as `http://127.0.0.1:11434/v1`. null: the provider's own host. */
  baseUrl: string | null
  /** Extra headers of a configured service. */
  headers?: Record<string, string>
}

/** A call of a tool, as the model made it. */
export interface ModelToolCall {
  /** The provider's, or generated where it sends none; unique within one answer only. */
  id: string
  name: string
  /** `{}` where they could not be read. */
  arguments: Record<string, unknown>
  /** The fault of the arguments, as a message to the model. */
  unreadable?: string
  /** Fields the provider wants back with the call, uninterpreted; neither stored nor shown. */
  extra?: Record<string, unknown>
}

/** A turn of a model as its provider wants it back within the run, uninterpreted; neither stored nor shown. */
export interface ProviderTurn {
  key: string
  value: unknown
}

/** A message of a conversation with a model. `tool`: the result of a call in the answer before it. */
export type ModelMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ModelToolCall[]; turn?: ProviderTurn | undefined }
  | { role: 'tool'; content: string; callId: string; name: string; failed: boolean }

interface ModelTool {
  name: string
  description: string
  /** JSON Schema of the arguments, an object. */
  parameters: Record<string, unknown>
  /** Arguments of the mock model's call; without it the mock never calls the tool. */
  mockArguments?(input: string): unknown
}

/**
 * Decides whether to retry after an answer that had begun and was lost, which is charged for as well. False: the failure
 * stands. Left out: always retry.
 */
export type MayPayAgain = () => Promise<boolean>

export interface ModelRequest {
  provider: Provider
  settings: ModelSettings
  system?: string
  messages: ModelMessage[]
  tools?: ModelTool[]
  /** The name of the tool the answer must call; else the model decides. */
  mustCall?: string | undefined
  /** The mock's answer, behind its label as a mock; a model never sees it. */
  mockAnswer?: string | undefined
  credential: Credential
  /** true: the provider's streaming endpoint; false: one plain answer, delivered as one text event. */
  stream: boolean
  signal: AbortSignal
  limits?: Partial<ModelLimits>
  mayPayAgain?: MayPayAgain
}

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'refusal' | 'tool-calls' | 'other'

export interface ModelUsage {
  input_tokens: number
  output_tokens: number
  /** Of the input: read from the provider's cache, and written to it. Left out where the provider does not say. */
  cached_tokens?: number
  cache_write_tokens?: number
  /** true when the provider sent no usable counts and characters / 4 replaces them. */
  estimated: boolean
}

export type ModelEvent =
  | { type: 'attempt'; number: number }
  | { type: 'retry'; afterMs: number; failure: ModelFailure }
  | { type: 'text'; delta: string }
  /** The model's thoughts, which are no part of its answer. */
  | { type: 'reasoning'; delta: string }
  | { type: 'note'; text: string }
  /** Comes after all text, once the answer is complete. */
  | { type: 'tool-call'; call: ModelToolCall }
  /** `lostAnswers`: how many attempts before had begun to be answered, each of which is charged for; 0 when left out. */
  | { type: 'finish'; reason: FinishReason; usage: ModelUsage; lostAnswers?: number; turn?: ProviderTurn | undefined }

/** Clock, network and randomness of a model call, passed in so that tests control them. */
export interface ModelRuntime {
  fetch: typeof fetch
  /** Resolves after `ms`, or early (resolving or rejecting) when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Milliseconds since 1970. */
  now(): number
  /** At least 0 and below 1. */
  random(): number
  /** Clocks that the operator set. */
  timeouts?: ModelTimeouts
}
