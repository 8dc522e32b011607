import type { ChatApi } from '../chat-api.ts'
import type { Quirks } from '../quirks.ts'

export interface EmbeddingApi {
  path: string
}

export interface TranscriptionApi {
  path: string
}

export interface SpeechApi {
  getPath(voice: string): string
  buildBody(request: { text: string; model: string }): object
}

/** A model in its provider's list; unknown fields are omitted. */
export interface ListedModel {
  id: string
  name?: string
  window?: number
  maxOutput?: number
  refuses?: string[]
  /** US dollars per million tokens. */
  price?: { input: number; cachedInput?: number; cacheWrite?: number; output: number }
  /** As `2027-01-14`; null if the provider says that no date is set. */
  shutdownDate?: string | null
  lifecycle?: 'deprecated' | 'retired'
  replacement?: string
  /** Set for other tasks, such as embedding or transcription. */
  isForChat?: false
}

export interface ProviderDefinition {
  id: string
  name: string
  /** Includes the version path; null if the address is always a setting. */
  baseUrl: string | null
  getHeaders(key: string | null): Record<string, string>
  /** Undefined for providers that only speak. */
  getChatApi?: (call: ChatChoice) => ChatApi
  /** Some models support tools only through the Responses API. */
  hasResponses?: boolean
  maxTemperature: number
  /** Parameters refused by models of this name; others are learned from refusals. */
  getExpectedQuirks?: (model: string) => Quirks | undefined
  modelsPath: string
  readModel(entry: Record<string, unknown>, choice: { isOwnAddress: boolean }): ListedModel | undefined
  getNextPage?: (answer: Record<string, unknown>) => string | undefined
  embedding?: EmbeddingApi
  transcription?: TranscriptionApi
  speech?: SpeechApi
  /** The provider answers 403 to requests that exceed the window. */
  isForbiddenTooLong?: boolean
}

export interface ChatChoice {
  model: string
  hasTools: boolean
  quirks: Quirks
  isOwnAddress: boolean
}
