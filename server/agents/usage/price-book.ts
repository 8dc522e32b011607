import type { Selectable } from 'kysely'
import { type Database, preparedQuery } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { type Price, PriceBook } from '#server/models/prices.ts'
import type { Services } from '#server/services.ts'

const priceCacheMs = 10_000

const priceBookCache = new WeakMap<Database, { book: Promise<PriceBook>; readAt: number }>()

const customPricesQuery = preparedQuery<Record<string, never>>()((db) => db.selectFrom('model_prices').selectAll())

export function getPriceBook(services: Services): Promise<PriceBook> {
  const now = services.now().getTime()
  const cached = priceBookCache.get(services.db)
  if (cached && now - cached.readAt < priceCacheMs) return cached.book
  const book = loadPriceBook(services.db, services.now())
  priceBookCache.set(services.db, { book, readAt: now })
  book.catch(() => forgetPrices(services))
  return book
}

export function forgetPrices(services: Services): void {
  priceBookCache.delete(services.db)
}

async function loadPriceBook(db: Database, now: Date): Promise<PriceBook> {
  const rows = await customPricesQuery.all(db, {})
  return new PriceBook(
    rows.map((row) => ({ provider: row.provider, model: row.model, ...toPrice(row) })),
    now,
  )
}

/** A custom price, in dollars per million tokens. */
export function toPrice(row: Omit<Selectable<Schema['model_prices']>, 'updated_at' | 'updated_by'>): Price {
  return {
    input: row.input_micros / 1_000_000,
    ...(row.cached_input_micros !== null && { cachedInput: row.cached_input_micros / 1_000_000 }),
    ...(row.cache_write_micros !== null && { cacheWrite: row.cache_write_micros / 1_000_000 }),
    output: row.output_micros / 1_000_000,
  }
}
