import type { ModelSettings, Provider } from '#contract/agents/model-settings.ts'
import { undated } from './prices.ts'

/** Tokens that a model reads and writes together, as the providers list them in public. */
const windows: Record<string, Record<string, number>> = {
  openai: {
    'gpt-4o': 128_000,
    'gpt-4o-mini': 128_000,
    'gpt-4-turbo': 128_000,
    'gpt-4': 8_192,
    'gpt-3.5-turbo': 16_385,
  },
  together: {
    'meta-llama/Llama-2-70b-chat-hf': 4_096,
    'meta-llama/Llama-2-13b-chat-hf': 4_096,
    'meta-llama/Llama-2-7b-chat-hf': 4_096,
    'mistralai/Mixtral-8x7B-Instruct-v0.1': 32_768,
  },
}
/** No model of Anthropic's reads less. */
const anthropicWindow = 200_000
/** Of a model that is not known: where it turns out to be less, the request is asked once more with less of the chat. */
const unknownWindow = 200_000
/** What an answer may take where its limit is left to the model. */
const usualMaxTokens = 8192
/** Characters / 4 counts too few tokens in many languages and in code. */
const trusted = 0.75

/** The most a request may hold by our own estimate, so that what the model reads and `max_tokens` together fit it. */
export function mostInputTokens(provider: Provider, { model, max_tokens }: ModelSettings): number {
  // A voice is sent the text alone, and holds that to a limit of its own.
  if (provider === 'elevenlabs') return Number.POSITIVE_INFINITY
  const known = windows[provider]
  const window = provider === 'anthropic' ? anthropicWindow : (known?.[model] ?? known?.[undated(model)])
  return Math.floor(((window ?? unknownWindow) - (max_tokens ?? usualMaxTokens)) * trusted)
}
