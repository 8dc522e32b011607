import type { ModelSettings } from '../agents/model-settings.ts'

export interface ProviderInfo {
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

export const defineProvider = <const Id extends string>(info: ProviderInfo & { id: Id }): ProviderInfo & { id: Id } =>
  info

export const defaultRetry = { max_retries: 3, retry_delay_ms: 1000 }
