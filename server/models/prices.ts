import type { Provider } from '#contract/agents/model-settings.ts'
import type { ModelUsage } from './model-request.ts'

/** US dollars per million tokens, [input, output], as the providers list them in public. */
const prices: Record<string, Record<string, [input: number, output: number]>> = {
  openai: {
    'gpt-4o': [2.5, 10],
    'gpt-4o-mini': [0.15, 0.6],
    'gpt-4-turbo': [10, 30],
    'gpt-4': [30, 60],
    'gpt-3.5-turbo': [0.5, 1.5],
    'text-embedding-3-small': [0.02, 0],
    // $0.006 for a minute of speech, counted as 20 tokens a second.
    'whisper-1': [5, 0],
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
    'intfloat/multilingual-e5-large-instruct': [0.02, 0],
    // $0.0015 for a minute of speech, counted likewise.
    'openai/whisper-large-v3': [1.25, 0],
  },
  // Sold by the character, under a subscription: what a run costs depends on the plan, and is not known.
  elevenlabs: {},
}

/**
 * What budgets count where no price of a provider is known, so that they hold nevertheless. Never shown as a cost.
 *
 * elevenlabs: $0.12 for 1,000 characters, what its API was listed at in 2025 for its dearest voices (Multilingual v2 and
 * v3; taken from what others wrote of that list, not from a bill). Small plans pay more: who is on one sets a price of
 * their own. Four characters are counted as one token, as everywhere (`estimateTokens`).
 */
const standIns: Record<string, Price> = { elevenlabs: { input: 480, output: 0 } }

/** `gpt-4o-2024-08-06`, `claude-3-5-sonnet-20241022` and `…-latest` cost what the undated name costs. */
const dated = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/

export function undated(model: string): string {
  return model.replace(dated, '')
}

/** US dollars for a million tokens, which is also millionths of a dollar for one. */
export interface Price {
  input: number
  output: number
}

/** A price somebody set on this server, in place of the one that comes with Keeper. */
export interface OwnPrice extends Price {
  provider: Provider
  model: string
}

/** What models cost here: the list that comes with Keeper, under what was set on this server. */
export class PriceBook {
  readonly #own: ReadonlyMap<string, Price>
  readonly #listed: ReadonlyMap<string, Price>

  constructor(own: readonly OwnPrice[] = []) {
    this.#own = new Map(own.map(({ provider, model, input, output }) => [`${provider}/${model}`, { input, output }]))
    this.#listed = listed
  }

  /** null for a model whose price is not known. A name that only adds a date falls back to the name without it. */
  find(provider: Provider, model: string): Price | null {
    for (const name of [model, undated(model)]) {
      const price = this.#own.get(`${provider}/${name}`) ?? this.#listed.get(`${provider}/${name}`)
      if (price) return price
    }
    return null
  }

  /** The highest known price of a provider, input and output each: what stands in where a budget needs a price and there is none. */
  dearest(provider: Provider): Price {
    const known = [...this.#listed, ...this.#own].filter(([name]) => name.startsWith(`${provider}/`))
    const prices = [standIns[provider] ?? { input: 0, output: 0 }, ...known.map(([, price]) => price)]
    return {
      input: Math.max(...prices.map(({ input }) => input)),
      output: Math.max(...prices.map(({ output }) => output)),
    }
  }
}

const listed: ReadonlyMap<string, Price> = new Map(
  Object.entries(prices).flatMap(([provider, models]) =>
    Object.entries(models).map(([model, [input, output]]) => [`${provider}/${model}`, { input, output }] as const),
  ),
)

/** The prices that come with Keeper. */
export const listPrices: readonly OwnPrice[] = Object.entries(prices).flatMap(([provider, models]) =>
  Object.entries(models).map(([model, [input, output]]) => ({ provider: provider as Provider, model, input, output })),
)

/** What tokens cost in millionths of a dollar. */
export function microsFor(price: Price, usage: Pick<ModelUsage, 'input_tokens' | 'output_tokens'>): number {
  return usage.input_tokens * price.input + usage.output_tokens * price.output
}
