import * as z from 'zod/mini'
import { oneLine } from '../one-line-text.ts'
import { getProviderInfo, isProvider, listProviderIds } from '../providers/registry.ts'

export type Provider = string

export const settingBounds = {
  temperature: { min: 0, max: 2, step: 0.1 },
  max_tokens: { min: 1, max: 32_000, step: 1 },
  top_p: { min: 0, max: 1, step: 0.1 },
  frequency_penalty: { min: -2, max: 2, step: 0.1 },
  presence_penalty: { min: -2, max: 2, step: 0.1 },
  max_retries: { min: 0, max: 10, step: 1 },
  retry_delay_ms: { min: 100, max: 10_000, step: 100 },
} as const

const numberWithin = (name: keyof typeof settingBounds) => {
  const { min, max } = settingBounds[name]
  const message = `Use a number from ${min} to ${max}.`
  return z.number(message).check(z.gte(min, message), z.lte(max, message))
}
const integerWithin = (name: keyof typeof settingBounds) => numberWithin(name).check(z.int('Use a whole number.'))

export const providerInput = z.string().check(
  z.maxLength(40),
  z.regex(/^[a-z0-9-]*$/),
  z.refine(isProvider, {
    error: () => `Choose one of: ${listProviderIds().join(', ')}.`,
  }),
)

export const providerOutput = z.string()

export const modelSettings = z.object({
  model: oneLine({ max: 200, min: 1, message: 'Choose or type a model.' }),
  // `null` sends nothing, so the model uses its own value.
  temperature: z.nullable(numberWithin('temperature')),
  max_tokens: z.nullable(integerWithin('max_tokens')),
  top_p: z.optional(z.nullable(numberWithin('top_p'))),
  frequency_penalty: z.optional(z.nullable(numberWithin('frequency_penalty'))),
  presence_penalty: z.optional(z.nullable(numberWithin('presence_penalty'))),
  retry: z.object({
    max_retries: integerWithin('max_retries'),
    /** Milliseconds before the first retry; doubled each time. */
    retry_delay_ms: integerWithin('retry_delay_ms'),
  }),
})
export type ModelSettings = z.infer<typeof modelSettings>

export const coordinatorSettings = { max_tokens: 4000, temperature: 0.1 }

/** Completes partial settings with the provider's defaults and drops keys the provider doesn't support. */
export function completeSettings(provider: Provider, partial: Partial<ModelSettings> | undefined): ModelSettings {
  const { settings: defaults, hasPenalties } = getProviderInfo(provider)
  const full = { ...defaults, ...partial, retry: { ...defaults.retry, ...partial?.retry } }
  if (hasPenalties) return full
  const { top_p: _topP, frequency_penalty: _frequency, presence_penalty: _presence, ...common } = full
  return common
}
