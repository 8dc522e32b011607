import { compareStrings } from '#contract/compare-strings.ts'
import { type Catalog, type CatalogEntry, type CatalogPrice, getCatalog, withoutDate } from './catalog/catalog.ts'
import { getListedPrice } from './catalog/listed-models.ts'
import type { ModelUsage } from './model-request.ts'

/** US dollars per million tokens, equal to millionths of a dollar per token. */
export type Price = CatalogPrice

export interface CustomPrice extends Price {
  provider: string
  model: string
}

/** For budgets only. elevenlabs: $0.12 per 1,000 characters, the 2025 list price of its most expensive voices, at four characters a token. */
const fallbackPrices: Record<string, Price> = { elevenlabs: { input: 480, output: 0 } }

export class PriceBook {
  readonly #custom: ReadonlyMap<string, CustomPrice>
  readonly #catalog: Catalog
  readonly #today: string

  constructor(custom: readonly CustomPrice[] = [], now = new Date()) {
    this.#custom = new Map(custom.map((price) => [`${price.provider}/${price.model}`, price]))
    this.#catalog = getCatalog()
    this.#today = toDay(now)
  }

  find(provider: string, model: string): Price | null {
    for (const name of [model, withoutDate(model)]) {
      const customPrice = this.#custom.get(`${provider}/${name}`)
      if (customPrice) return toPrice(customPrice)
      const livePrice = getListedPrice(provider, name)
      if (livePrice) return livePrice
      const entry = this.#catalog.find(provider, name)
      const catalogPrice = entry?.id === name ? getPriceOn(this.#today, entry) : undefined
      if (catalogPrice) return catalogPrice
    }
    return null
  }

  getMaxPrice(provider: string): Price {
    const listed = this.#catalog.entries
      .filter((entry) => entry.provider === provider)
      .flatMap((entry) => getPriceOn(this.#today, entry) ?? [])
    const custom = [...this.#custom.values()].filter((price) => price.provider === provider)
    const priceSteps = [fallbackPrices[provider] ?? { input: 0, output: 0 }, ...listed, ...custom].flatMap((price) =>
      price.above ? [price, price.above] : [price],
    )
    return {
      input: Math.max(...priceSteps.map(({ input, cacheWrite }) => Math.max(input, cacheWrite ?? 0))),
      output: Math.max(...priceSteps.map(({ output }) => output)),
    }
  }
}

export function listCatalogPrices(now: Date): CustomPrice[] {
  const today = toDay(now)
  return getCatalog().entries.flatMap((entry) => {
    const price = getPriceOn(today, entry)
    return price ? [{ ...price, provider: entry.provider, model: entry.id }] : []
  })
}

function getPriceOn(today: string, { price, priceChanges = [] }: CatalogEntry): Price | undefined {
  const effectiveChanges = priceChanges
    .filter(({ from }) => from <= today)
    .toSorted((a, b) => compareStrings(a.from, b.from))
  return effectiveChanges.at(-1)?.price ?? price
}

const toDay = (date: Date) => date.toISOString().slice(0, 10)

function toPrice({ provider: _provider, model: _model, ...price }: CustomPrice): Price {
  return price
}

type PricedUsage = Pick<ModelUsage, 'input_tokens' | 'output_tokens' | 'cached_tokens' | 'cache_write_tokens'>

/** Millionths of a dollar. If the input exceeds `above.tokens`, the whole request is billed at the `above` price. */
export function calculateMicros(price: Price, usage: PricedUsage): number {
  const { input_tokens, output_tokens } = usage
  const step = price.above && input_tokens > price.above.tokens ? price.above : price
  const cachedTokens = Math.min(usage.cached_tokens ?? 0, input_tokens)
  const cacheWriteTokens = Math.min(usage.cache_write_tokens ?? 0, input_tokens - cachedTokens)
  return (
    (input_tokens - cachedTokens - cacheWriteTokens) * step.input +
    cachedTokens * (step.cachedInput ?? step.input) +
    cacheWriteTokens * (step.cacheWrite ?? step.input) +
    output_tokens * step.output
  )
}

/** Maximum cost in millionths of a dollar: all input is new and written to the cache. */
export function calculateMaxMicros(price: Price, usage: Pick<ModelUsage, 'input_tokens' | 'output_tokens'>): number {
  return Math.max(
    calculateMicros(price, usage),
    price.cacheWrite === undefined ? 0 : calculateMicros(price, { ...usage, cache_write_tokens: usage.input_tokens }),
  )
}
