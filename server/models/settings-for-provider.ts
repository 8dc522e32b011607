import { type ModelSettings, type Provider, providerNames } from '#contract/agents/model-settings.ts'

/** Anthropic and Together document 0 to 1, OpenAI 0 to 2. */
const highestTemperature: Record<Provider, number> = { openai: 2, anthropic: 1, together: 1, elevenlabs: 1 }

export interface CallSettings {
  temperature: number
  maxOutputTokens: number
  topP?: number
  frequencyPenalty?: number
  presencePenalty?: number
}

/** An agent's settings as this provider takes them, with a sentence for each one that had to be changed. */
export function settingsFor(provider: Provider, settings: ModelSettings): { call: CallSettings; notes: string[] } {
  const highest = highestTemperature[provider]
  const call: CallSettings = {
    temperature: Math.min(settings.temperature, highest),
    maxOutputTokens: settings.max_tokens,
  }
  if (provider === 'openai') {
    call.topP = settings.top_p
    call.frequencyPenalty = settings.frequency_penalty
    call.presencePenalty = settings.presence_penalty
  }
  const note = `Temperature ${settings.temperature} was lowered to ${highest}, the most ${providerNames[provider]} takes.`
  return { call, notes: settings.temperature > highest ? [note] : [] }
}
