import { type Catalog, type CatalogEntry, type CatalogPrice, getCatalog, withoutDate } from './catalog/catalog.ts'
import { getListedPrice } from './catalog/listed-models.ts'
import type { ModelUsage } from './model-request.ts'

/** US dollars for a million tokens, which is also millionths of a dollar for one. */
export type Price = CatalogPrice

/** A price set on this server, which replaces the built-in one. */
export interface CustomPrice extends Price {
  provider: string
  model: string
}

/**
 * Prices for budgets where a provider has no known price, so that they still apply. Never shown as a cost.
 *
 * elevenlabs: $0.12 for 1,000 characters, the API's list price in 2025 for its most expensive voices (Multilingual
 * v2 and v3; from reports about that list, not from a bill). Small plans pay more and can set a custom price. Four
 * characters count as one token, as everywhere (`estimateTokens`).
 */
const fallbackPrices: Record<string, Price> = { elevenlabs: { input: 480, output: 0 } }

/** Prices of models: set on this server, else from the provider's list, else from the catalog. */
export class PriceBook {
  readonly #custom: ReadonlyMap<string, CustomPrice>
  readonly #catalog: Catalog
  readonly #today: string

  constructor(custom: readonly CustomPrice[] = [], now = new Date()) {
    this.#custom = new Map(custom.map((price) => [`${price.provider}/${price.model}`, price]))
    this.#catalog = getCatalog()
    this.#today = toDay(now)
  }

  /** null for a model whose price is not known. A name that only adds a date falls back to the name without it. */
  find(provider: string, model: string): Price | null {
    for (const name of [model, withoutDate(model)]) {
      const custom = this.#custom.get(`${provider}/${name}`)
      if (custom) return withoutNames(custom)
      const live = getListedPrice(provider, name)
      if (live) return live
      const entry = this.#catalog.find(provider, name)
      const listed = entry?.id === name ? getPriceOn(this.#today, entry) : undefined
      if (listed) return listed
    }
    return null
  }

  /** The highest known price of a provider, input and output each, for budgets of a model without a price. */
  getMaxPrice(provider: string): Price {
    const listed = this.#catalog.entries
      .filter((entry) => entry.provider === provider)
      .flatMap((entry) => getPriceOn(this.#today, entry) ?? [])
    const custom = [...this.#custom.values()].filter((price) => price.provider === provider)
    const steps = [fallbackPrices[provider] ?? { input: 0, output: 0 }, ...listed, ...custom].flatMap((price) =>
      price.above ? [price, price.above] : [price],
    )
    return {
      input: Math.max(...steps.map(({ input, cacheWrite }) => Math.max(input, cacheWrite ?? 0))),
      output: Math.max(...steps.map(({ output }) => output)),
    }
  }
}

/** The prices that come with Keeper, as they are on this day. */
export function listCatalogPrices(now: Date): CustomPrice[] {
  const today = toDay(now)
  return getCatalog().entries.flatMap((entry) => {
    const price = getPriceOn(today, entry)
    return price ? [{ ...price, provider: entry.provider, model: entry.id }] : []
  })
}

function getPriceOn(today: string, { price, priceChanges = [] }: CatalogEntry): Price | undefined {
  const changed = priceChanges.filter(({ from }) => from <= today).toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return changed.at(-1)?.price ?? price
}

const toDay = (date: Date) => date.toISOString().slice(0, 10)

function withoutNames({ provider: _provider, model: _model, ...price }: CustomPrice): Price {
  return price
}

type PricedUsage = Pick<ModelUsage, 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'cache_write_tokens'>

/**
 * The cost of tokens in millionths of a dollar. Tokens read from the provider's cache, or written to it, cost as input where
 * their price is not known; a request longer than the price's `above.tokens` costs that step's price as a whole.
 */
export function calculateMicros(price: Price, usage: PricedUsage): number {
  const { input_tokens, output_tokens } = usage
  const step = price.above && input_tokens > price.above.tokens ? price.above : price
  const cached = Math.min(usage.cached_tokens ?? 0, input_tokens)
  const written = Math.min(usage.cache_write_tokens ?? 0, input_tokens - cached)
  return (
    (input_tokens - cached - written) * step.input +
    cached * (step.cachedInput ?? step.input) +
    written * (step.cacheWrite ?? step.input) +
    output_tokens * step.output
  )
}

/** The maximum cost of these tokens in millionths of a dollar: all input is new and written to the cache. */
export function calculateMaxMicros(price: Price, usage: Pick<ModelUsage, 'input_tokens' | 'output_tokens'>): number {
  return Math.max(
    calculateMicros(price, usage),
    price.cacheWrite === undefined ? 0 : calculateMicros(price, { ...usage, cache_write_tokens: usage.input_tokens }),
  )
}
