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

const createKeyFormat = (minLength: number, address: string | null): KeyFormat => ({
  format: `at least ${minLength} characters`,
  startsWith: '',
  longerThan: minLength - 1,
  address,
  costTier: '$',
  platformCostTier: 'Medium',
})

export const unknownKeyFormat = createKeyFormat(6, null)

const defineProvider = <const Id extends string>(info: ProviderInfo & { id: Id }): ProviderInfo & { id: Id } => info

const defaultRetry = { max_retries: 3, retry_delay_ms: 1000 }

const openai = defineProvider({
  id: 'openai',
  name: 'OpenAI',
  key: {
    format: 'sk-…',
    startsWith: 'sk-',
    longerThan: 20,
    address: 'https://platform.openai.com/api-keys',
    costTier: '$$',
    platformCostTier: 'High',
  },
  offeredModels: ['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'gpt-4', 'gpt-3.5-turbo'],
  settings: {
    model: 'gpt-6-luna',
    temperature: 0.7,
    max_tokens: 2000,
    top_p: 1,
    frequency_penalty: 0,
    presence_penalty: 0,
    retry: defaultRetry,
  },
  hasPenalties: true,
})

const anthropic = defineProvider({
  id: 'anthropic',
  name: 'Anthropic',
  key: {
    format: 'sk-ant-…',
    startsWith: 'sk-ant-',
    longerThan: 30,
    address: 'https://console.anthropic.com/settings/keys',
    costTier: '$$',
    platformCostTier: 'High',
  },
  offeredModels: ['claude-3-5-sonnet', 'claude-3-5-haiku', 'claude-3-opus', 'claude-3-sonnet', 'claude-3-haiku'],
  settings: { model: 'claude-haiku-5-5', temperature: 0.7, max_tokens: 4000, retry: defaultRetry },
})

const together = defineProvider({
  id: 'together',
  name: 'Together AI',
  key: createKeyFormat(11, 'https://api.together.ai/settings/api-keys'),
  offeredModels: [
    'meta-llama/Llama-2-70b-chat-hf',
    'meta-llama/Llama-2-13b-chat-hf',
    'meta-llama/Llama-2-7b-chat-hf',
    'mistralai/Mixtral-8x7B-Instruct-v0.1',
  ],
  settings: { model: 'openai/gpt-oss-120b', temperature: 0.7, max_tokens: 2000, retry: defaultRetry },
})

const elevenlabs = defineProvider({
  id: 'elevenlabs',
  name: 'ElevenLabs',
  key: createKeyFormat(11, 'https://elevenlabs.io/app/settings/api-keys'),
  offeredModels: ['eleven_monolingual_v1', 'eleven_multilingual_v2', 'eleven_turbo_v2'],
  settings: { model: 'eleven_multilingual_v2', temperature: 0.5, max_tokens: 1000, retry: defaultRetry },
})

const google = defineProvider({
  id: 'google',
  name: 'Google Gemini',
  key: createKeyFormat(21, 'https://aistudio.google.com/apikey'),
  offeredModels: ['gemini-4-argon', 'gemini-3.8-flash', 'gemini-3.5-flash-lite'],
  settings: { model: 'gemini-3.8-flash', temperature: 0.7, max_tokens: 4000, retry: defaultRetry },
})

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
