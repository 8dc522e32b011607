import type { ModelSettings, Provider } from '#contract/agents/model-settings.ts'
import type { ModelLimits, ModelTimeouts } from '../settings/model-limits.ts'
import type { ModelFailure } from './model-failure.ts'

export interface Credential {
  /** null: without a key, for local servers with a `baseUrl`. */
  key: string | null
  /** Includes the version path, such as `http://127.0.0.1:11434/v1`. null: the provider's own host. */
  baseUrl: string | null
  headers?: Record<string, string>
}

export interface ModelToolCall {
  /** The provider's id, or a generated one; unique within one answer only. */
  id: string
  name: string
  arguments: Record<string, unknown>
  /** Tells the model why its arguments could not be read. */
  unreadable?: string
  extra?: Record<string, unknown>
}

/** A model's turn that its provider needs back within the run; opaque, neither stored nor shown. */
export interface ProviderTurn {
  key: string
  value: unknown
}

export type ModelMessage =
  | { role: 'user'; content: string }
  | { role: 'assistant'; content: string; toolCalls?: ModelToolCall[]; turn?: ProviderTurn | undefined }
  | { role: 'tool'; content: string; callId: string; name: string; failed: boolean }

interface ModelTool {
  name: string
  description: string
  parameters: Record<string, unknown>
  mockArguments?(input: string): unknown
}

/** Decides whether to retry after a lost answer, which costs money too. If omitted, always retries. */
export type RetryBudgetCheck = () => Promise<boolean>

export interface ModelRequest {
  provider: Provider
  settings: ModelSettings
  system?: string
  messages: ModelMessage[]
  tools?: ModelTool[]
  mustCall?: string | undefined
  mockAnswer?: string | undefined
  credential: Credential
  stream: boolean
  signal: AbortSignal
  limits?: Partial<ModelLimits>
  reserveRetry?: RetryBudgetCheck
}

export type FinishReason = 'stop' | 'length' | 'content-filter' | 'refusal' | 'tool-calls' | 'other'

export interface ModelUsage {
  input_tokens: number
  output_tokens: number
  cached_tokens?: number
  cache_write_tokens?: number
  /** Whether characters / 4 replaces missing counts. */
  estimated: boolean
}

export type ModelEvent =
  | { type: 'attempt'; number: number }
  | { type: 'retry'; afterMs: number; failure: ModelFailure }
  | { type: 'text'; delta: string }
  | { type: 'reasoning'; delta: string }
  | { type: 'note'; text: string }
  /** Sent after all text, once the answer is complete. */
  | { type: 'tool-call'; call: ModelToolCall }
  /** `lostResponseCount`: earlier attempts whose answer had started, which are charged; defaults to 0. */
  | {
      type: 'finish'
      reason: FinishReason
      usage: ModelUsage
      lostResponseCount?: number
      turn?: ProviderTurn | undefined
    }

export interface ModelRuntime {
  fetch: typeof fetch
  sleep(ms: number, signal: AbortSignal): Promise<void>
  now(): number
  random(): number
  timeouts?: ModelTimeouts
}
