import type { ModelSettings } from '../agents/model-settings.ts'

/** What pages and forms know of a provider. How it is asked is in its folder on the server. */
export interface ProviderFacts {
  id: string
  name: string
  key: KeyFormat
  /** The models offered where the provider itself was not asked; any other name is accepted too. */
  offeredModels: readonly string[]
  /** What a new agent begins with. */
  settings: ModelSettings
  /** It takes top_p and the penalties. */
  hasPenalties?: boolean
}

export interface KeyFormat {
  /** Shown after "Expected format: ". */
  format: string
  startsWith: string
  /** The key must be longer than this many characters. */
  longerThan: number
  /** Where a person gets such a key; null where it is not known. */
  address: string | null
  /** Cost label of the personal page. */
  costTier: '$' | '$$'
  /** Cost label of the platform page. */
  platformCostTier: 'High' | 'Medium'
}

/** Keeps the id as its own type. */
export const defineFacts = <const Id extends string>(facts: ProviderFacts & { id: Id }): ProviderFacts & { id: Id } =>
  facts

export const defaultRetry = { max_retries: 3, retry_delay_ms: 1000 }
