import type { ChatApi } from '../chat-api.ts'
import type { Quirks } from '../quirks.ts'

/** Embeds texts: OpenAI's call, under the provider's address. */
export interface EmbeddingApi {
  path: string
}

/** Transcribes a recording: OpenAI's call, under the provider's address. */
export interface TranscriptionApi {
  path: string
}

export interface SpeechApi {
  /** The path of a call, with its query. */
  getPath(voice: string): string
  buildBody(request: { text: string; model: string }): object
}

/** A model in its provider's list; fields the list does not have are left out. */
export interface ListedModel {
  id: string
  name?: string
  /** Tokens read and written together. */
  window?: number
  maxOutput?: number
  /** Fields of a request that the model does not take. */
  refuses?: string[]
  /** US dollars for a million tokens. */
  price?: { input: number; cachedInput?: number; cacheWrite?: number; output: number }
  /** The day it is shut down, as `2027-01-14`; null: the provider says that no day is set. */
  shutdownDate?: string | null
  /** The provider calls it deprecated, or retired. */
  lifecycle?: 'deprecated' | 'retired'
  /** The model to use in its place, by the provider's word. */
  replacement?: string
  /** Listed for another task, such as embedding or transcription. */
  isForChat?: false
}

export interface ProviderDefinition {
  id: string
  name: string
  /** With the version path. null: the address is always a setting. */
  baseUrl: string | null
  /** Headers of every call; `key` is null for a server that wants none. */
  getHeaders(key: string | null): Record<string, string>
  /** undefined: it only speaks texts. */
  getChatApi?: (call: ChatChoice) => ChatApi
  /** Some of its models take tools through the Responses API only. */
  hasResponses?: boolean
  maxTemperature: number
  /** Parameters that a model is known to refuse, by its name. Others are learned from refusals. */
  getKnownQuirks?: (model: string) => Quirks | undefined
  /** Of its list of models, with its query. */
  modelsPath: string
  /** A model that can be used here, of an entry of the list; undefined for one that cannot. */
  readModel(entry: Record<string, unknown>, choice: { isOwnAddress: boolean }): ListedModel | undefined
  /** The query of the next page of its list, of an answer; undefined after the last one. */
  getNextPage?: (answer: Record<string, unknown>) => string | undefined
  embedding?: EmbeddingApi
  transcription?: TranscriptionApi
  speech?: SpeechApi
  /** The provider says 403 of a request that is too long for the model. */
  isForbiddenTooLong?: boolean
}

export interface ChatChoice {
  model: string
  hasTools: boolean
  quirks: Quirks
  /** The provider's own address, and no other that speaks like it. */
  isOwnAddress: boolean
}
