import type { ModelSettings } from '../agents/model-settings.ts'

export interface ProviderFacts {
  id: string
  name: string
  key: KeyFormat
  /** Offered if the provider's own list is unavailable; any other name is accepted too. */
  offeredModels: readonly string[]
  settings: ModelSettings
  hasPenalties?: boolean
}

export interface KeyFormat {
  format: string
  startsWith: string
  longerThan: number
  address: string | null
  costTier: '$' | '$$'
  platformCostTier: 'High' | 'Medium'
}

/** Keeps the literal type of the ID. */
export const defineFacts = <const Id extends string>(facts: ProviderFacts & { id: Id }): ProviderFacts & { id: Id } =>
  facts

export const defaultRetry = { max_retries: 3, retry_delay_ms: 1000 }
