import * as z from 'zod/mini'
import { oneLine } from '../one-line-text.ts'

export const providers = ['openai', 'anthropic', 'together', 'elevenlabs'] as const
export type Provider = (typeof providers)[number]

export const providerNames: Record<Provider, string> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  together: 'Together AI',
  elevenlabs: 'ElevenLabs',
}

/** The models the form offers when the provider itself was not asked (seed 001 §9). Any other name is accepted too. */
export const knownModels: Record<Provider, string[]> = {
  openai: ['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'gpt-4', 'gpt-3.5-turbo'],
  anthropic: ['claude-3-5-sonnet', 'claude-3-5-haiku', 'claude-3-opus', 'claude-3-sonnet', 'claude-3-haiku'],
  together: [
    'meta-llama/Llama-2-70b-chat-hf',
    'meta-llama/Llama-2-13b-chat-hf',
    'meta-llama/Llama-2-7b-chat-hf',
    'mistralai/Mixtral-8x7B-Instruct-v0.1',
  ],
  elevenlabs: ['eleven_monolingual_v1', 'eleven_multilingual_v2', 'eleven_turbo_v2'],
}

/** Inclusive bounds and the step of each number in the form. */
export const bounds = {
  temperature: { min: 0, max: 2, step: 0.1 },
  max_tokens: { min: 1, max: 32_000, step: 1 },
  top_p: { min: 0, max: 1, step: 0.1 },
  frequency_penalty: { min: -2, max: 2, step: 0.1 },
  presence_penalty: { min: -2, max: 2, step: 0.1 },
  max_retries: { min: 0, max: 10, step: 1 },
  retry_delay_ms: { min: 100, max: 10_000, step: 100 },
} as const

const within = (name: keyof typeof bounds) => {
  const { min, max } = bounds[name]
  const message = `Use a number from ${min} to ${max}.`
  return z.number(message).check(z.gte(min, message), z.lte(max, message))
}
const wholeWithin = (name: keyof typeof bounds) => within(name).check(z.int('Use a whole number.'))

/** One of them, as it is sent. */
export const givenProvider = z.enum(providers, 'Choose one of: openai, anthropic, together, elevenlabs.')

export const modelSettings = z.object({
  model: oneLine({ max: 200, min: 1, message: 'Choose or type a model.' }),
  temperature: within('temperature'),
  max_tokens: wholeWithin('max_tokens'),
  top_p: z.optional(within('top_p')),
  frequency_penalty: z.optional(within('frequency_penalty')),
  presence_penalty: z.optional(within('presence_penalty')),
  retry: z.object({
    max_retries: wholeWithin('max_retries'),
    /** Milliseconds before the first retry; doubled each time. */
    retry_delay_ms: wholeWithin('retry_delay_ms'),
  }),
})
export type ModelSettings = z.infer<typeof modelSettings>

const retry = { max_retries: 3, retry_delay_ms: 1000 }

/** With models that are offered today; the seed's own (001 §9) stand in `knownModels`. */
export const defaultSettings: Record<Provider, ModelSettings> = {
  openai: {
    model: 'gpt-6-luna',
    temperature: 0.7,
    max_tokens: 2000,
    top_p: 1,
    frequency_penalty: 0,
    presence_penalty: 0,
    retry,
  },
  anthropic: { model: 'claude-haiku-5-5', temperature: 0.7, max_tokens: 4000, retry },
  together: { model: 'openai/gpt-oss-120b', temperature: 0.7, max_tokens: 2000, retry },
  elevenlabs: { model: 'eleven_multilingual_v2', temperature: 0.5, max_tokens: 1000, retry },
}

/** What a Coordinator begins with in place of its provider's defaults (seed 001 §5). */
export const coordinatorSettings = { max_tokens: 4000, temperature: 0.1 }

/** A partial setting completed with its provider's defaults; keys only openai takes are dropped for the others. */
export function completeSettings(provider: Provider, partial: Partial<ModelSettings> | undefined): ModelSettings {
  const defaults = defaultSettings[provider]
  const full = { ...defaults, ...partial, retry: { ...defaults.retry, ...partial?.retry } }
  if (provider === 'openai') return full
  const { top_p: _topP, frequency_penalty: _frequency, presence_penalty: _presence, ...common } = full
  return common
}
