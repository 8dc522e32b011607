import { type Catalog, type CatalogEntry, type CatalogPrice, getCatalog, withoutDate } from './catalog/catalog.ts'
import { getListedPrice } from './catalog/listed-models.ts'
import type { ModelUsage } from './model-request.ts'

/** US dollars for a million tokens, which is also millionths of a dollar for one. */
export type Price = CatalogPrice

/** A price somebody set on this server, in place of the one that comes with Keeper. */
export interface OwnPrice extends Price {
  provider: string
  model: string
}

/**
 * What budgets count where no price of a provider is known, so that they hold nevertheless. Never shown as a cost.
 *
 * elevenlabs: $0.12 for 1,000 characters, what its API was listed at in 2025 for its dearest voices (Multilingual v2 and
 * v3; taken from what others wrote of that list, not from a bill). Small plans pay more: who is on one sets a price of
 * their own. Four characters are counted as one token, as everywhere (`estimateTokens`).
 */
const standIns: Record<string, Price> = { elevenlabs: { input: 480, output: 0 } }

/** What models cost here: what was set on this server, else what the provider's list says, else the catalog. */
export class PriceBook {
  readonly #own: ReadonlyMap<string, OwnPrice>
  readonly #catalog: Catalog
  readonly #today: string

  constructor(own: readonly OwnPrice[] = [], now = new Date()) {
    this.#own = new Map(own.map((price) => [`${price.provider}/${price.model}`, price]))
    this.#catalog = getCatalog()
    this.#today = toDay(now)
  }

  /** null for a model whose price is not known. A name that only adds a date falls back to the name without it. */
  find(provider: string, model: string): Price | null {
    for (const name of [model, withoutDate(model)]) {
      const own = this.#own.get(`${provider}/${name}`)
      if (own) return withoutNames(own)
      const live = getListedPrice(provider, name)
      if (live) return live
      const entry = this.#catalog.find(provider, name)
      const listed = entry?.id === name ? priceOn(this.#today, entry) : undefined
      if (listed) return listed
    }
    return null
  }

  /** The highest known price of a provider, input and output each: what stands in where a budget needs a price and there is none. */
  dearest(provider: string): Price {
    const listed = this.#catalog.entries
      .filter((entry) => entry.provider === provider)
      .flatMap((entry) => priceOn(this.#today, entry) ?? [])
    const own = [...this.#own.values()].filter((price) => price.provider === provider)
    const steps = [standIns[provider] ?? { input: 0, output: 0 }, ...listed, ...own].flatMap((price) =>
      price.above ? [price, price.above] : [price],
    )
    return {
      input: Math.max(...steps.map(({ input, cacheWrite }) => Math.max(input, cacheWrite ?? 0))),
      output: Math.max(...steps.map(({ output }) => output)),
    }
  }
}

/** The prices that come with Keeper, as they are on this day. */
export function listCatalogPrices(now: Date): OwnPrice[] {
  const today = toDay(now)
  return getCatalog().entries.flatMap((entry) => {
    const price = priceOn(today, entry)
    return price ? [{ ...price, provider: entry.provider, model: entry.id }] : []
  })
}

function priceOn(today: string, { price, priceChanges = [] }: CatalogEntry): Price | undefined {
  const changed = priceChanges.filter(({ from }) => from <= today).toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return changed.at(-1)?.price ?? price
}

const toDay = (date: Date) => date.toISOString().slice(0, 10)

function withoutNames({ provider: _provider, model: _model, ...price }: OwnPrice): Price {
  return price
}

type PricedUsage = Pick<ModelUsage, 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'cache_write_tokens'>

/**
 * What tokens cost in millionths of a dollar. Tokens read from the provider's cache, or written to it, cost as input where
 * their price is not known; a request longer than the price's `above.tokens` costs that step's price as a whole.
 */
export function microsFor(price: Price, usage: PricedUsage): number {
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

/** The most these tokens can cost, in millionths of a dollar: all of the input is new, and written to the cache. */
export function worstMicrosFor(price: Price, usage: Pick<ModelUsage, 'input_tokens' | 'output_tokens'>): number {
  return Math.max(
    microsFor(price, usage),
    price.cacheWrite === undefined ? 0 : microsFor(price, { ...usage, cache_write_tokens: usage.input_tokens }),
  )
}
