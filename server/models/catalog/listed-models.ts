import { createHash } from 'node:crypto'
import { LruMap } from '#contract/lru-map.ts'

/** What a provider's own list says of a model. */
export interface ListedDetails {
  /** Tokens read and written together. */
  window?: number
  maxOutput?: number
  /** Fields of a request that the model does not take. */
  refuses?: string[]
}

const maxRemembered = 5000
const remembered = new LruMap<string, ListedDetails>(maxRemembered)

const toKey = (baseUrl: string, model: string) =>
  createHash('sha256').update(`${baseUrl}\n${model}`).digest('base64url')

export function getListedModel(baseUrl: string, model: string): ListedDetails | undefined {
  return remembered.get(toKey(baseUrl, model))
}

export function rememberListedModel(baseUrl: string, model: string, details: ListedDetails): void {
  remembered.set(toKey(baseUrl, model), details)
}

/** Forgets everything, for tests that share an address. */
export function forgetListedModels(): void {
  remembered.clear()
}
