import { anthropic } from './anthropic.ts'
import { elevenlabs } from './elevenlabs.ts'
import { google } from './google.ts'
import { openai } from './openai.ts'
import { defaultRetry, type KeyFormat, type ProviderInfo } from './provider-info.ts'
import { together } from './together.ts'

export const builtInProviders = [openai, anthropic, together, elevenlabs, google] as const
export type BuiltInProvider = (typeof builtInProviders)[number]['id']

export interface ConfiguredProvider {
  id: string
  name: string
}

let configuredProviders: readonly ProviderInfo[] = []

export function setConfiguredProviders(services: readonly ConfiguredProvider[]): void {
  configuredProviders = services.map(toProviderInfo)
}

export function listProviders(): readonly ProviderInfo[] {
  return configuredProviders.length === 0 ? builtInProviders : [...builtInProviders, ...configuredProviders]
}

export const listProviderIds = (): string[] => listProviders().map(({ id }) => id)

export function getProviderInfo(id: string): ProviderInfo {
  return listProviders().find((provider) => provider.id === id) ?? toProviderInfo({ id, name: id })
}

export const getProviderName = (id: string): string => getProviderInfo(id).name

export const isProvider = (id: string): boolean => listProviders().some((provider) => provider.id === id)

export const unknownKeyFormat: KeyFormat = {
  format: 'at least 6 characters',
  startsWith: '',
  longerThan: 5,
  address: null,
  costTier: '$',
  platformCostTier: 'Medium',
}

function toProviderInfo({ id, name }: ConfiguredProvider): ProviderInfo {
  return {
    id,
    name,
    key: unknownKeyFormat,
    offeredModels: [],
    // Unknown until the service is asked; each model has its own limits.
    settings: { model: '', temperature: null, max_tokens: null, retry: defaultRetry },
    hasPenalties: true,
  }
}
