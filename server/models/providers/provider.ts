import type { ChatApi } from '../chat-api.ts'
import type { Quirks } from '../quirks.ts'

export interface ListedModel {
  id: string
  name?: string
  /** Tokens of a request and its answer together. */
  window?: number
  /** Tokens. */
  maxOutput?: number
  refusedSettings?: string[]
  /** US dollars per million tokens. */
  price?: { input: number; cachedInput?: number; cacheWrite?: number; output: number }
  /** As `2027-01-14`; null if the provider says that no date is set. */
  shutdownDate?: string | null
  lifecycle?: 'deprecated' | 'retired'
  replacement?: string
  isForChat?: false
}

export interface ProviderDefinition {
  id: string
  name: string
  baseUrl: string | null
  getHeaders(key: string | null): Record<string, string>
  getChatApi?: (call: ChatChoice) => ChatApi
  hasResponsesApi?: boolean
  maxTemperature: number
  getExpectedQuirks?: (model: string) => Quirks | undefined
  modelsPath: string
  readModel(entry: Record<string, unknown>, addressInfo: { hasDefaultHost: boolean }): ListedModel | undefined
  getNextPage?: (answer: Record<string, unknown>) => string | undefined
  embedding?: { path: string }
  transcription?: { path: string }
  speech?: { getPath(voice: string): string; buildBody(request: { text: string; model: string }): object }
  /** The provider answers 403 to requests that exceed the window. */
  reportsTooLongAsForbidden?: boolean
}

export interface ChatChoice {
  model: string
  hasTools: boolean
  quirks: Quirks
  hasDefaultHost: boolean
}
