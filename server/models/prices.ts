import type { Provider } from '#contract/agents/model-settings.ts'
import type { ModelUsage } from './model-request.ts'

/** US dollars per million tokens, [input, output], as the providers list them in public. */
const prices: Record<Provider, Record<string, [input: number, output: number]>> = {
  openai: {
    'gpt-4o': [2.5, 10],
    'gpt-4o-mini': [0.15, 0.6],
    'gpt-4-turbo': [10, 30],
    'gpt-4': [30, 60],
    'gpt-3.5-turbo': [0.5, 1.5],
  },
  anthropic: {
    'claude-3-5-sonnet': [3, 15],
    'claude-3-5-haiku': [0.8, 4],
    'claude-3-opus': [15, 75],
    'claude-3-sonnet': [3, 15],
    'claude-3-haiku': [0.25, 1.25],
  },
  together: {
    'meta-llama/Llama-2-70b-chat-hf': [0.9, 0.9],
    'meta-llama/Llama-2-13b-chat-hf': [0.3, 0.3],
    'meta-llama/Llama-2-7b-chat-hf': [0.2, 0.2],
    'mistralai/Mixtral-8x7B-Instruct-v0.1': [0.6, 0.6],
  },
  // Sold by the character, under a subscription.
  elevenlabs: {},
}

/** `gpt-4o-2024-08-06`, `claude-3-5-sonnet-20241022` and `…-latest` cost what the undated name costs. */
const dated = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/

/** The list price of a run in US dollars; null for a model whose price is not known. */
export function costOf(
  provider: Provider,
  model: string,
  usage: Pick<ModelUsage, 'input_tokens' | 'output_tokens'>,
): number | null {
  const listed = new Map(Object.entries(prices[provider]))
  const price = listed.get(model) ?? listed.get(model.replace(dated, ''))
  if (!price) return null
  const [input, output] = price
  return (usage.input_tokens * input + usage.output_tokens * output) / 1_000_000
}
