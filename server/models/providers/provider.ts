import type { ChatApi } from '../chat-api.ts'
import type { Quirks } from '../quirks.ts'

/** How a provider turns texts into vectors: OpenAI's call, under the provider's own address. */
export interface EmbeddingApi {
  path: string
}

/** How a provider writes a recording down: OpenAI's call, under the provider's own address. */
export interface TranscriptionApi {
  path: string
  model: string
}

/** How a provider speaks a text. */
export interface SpeechApi {
  /** The path of a call, with its query. */
  getPath(voice: string): string
  buildBody(request: { text: string; model: string }): object
}

export interface ListedModel {
  id: string
  name?: string
}

/** Everything Keeper knows of one provider. */
export interface ProviderDefinition {
  id: string
  name: string
  /** With the version path. null: the address is always a setting. */
  baseUrl: string | null
  /** Headers of every call; `key` is null for a server that wants none. */
  getHeaders(key: string | null): Record<string, string>
  /** undefined: it speaks, and answers nothing. */
  getChatApi?: (call: ChatChoice) => ChatApi
  /** Some of its models take tools through the Responses API only. */
  hasResponses?: boolean
  maxTemperature: number
  /** Parameters that a model is known to refuse, by its name. What is not known here is learned from refusals. */
  getKnownQuirks?: (model: string) => Quirks | undefined
  /** Of its list of models, with its query. */
  modelsPath: string
  /** A model that can be used here, of an entry of the list; undefined for one that cannot. */
  readModel(entry: Record<string, unknown>, choice: { isOwnAddress: boolean }): ListedModel | undefined
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
