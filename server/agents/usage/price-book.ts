import type { Selectable } from 'kysely'
import { type Database, preparedQuery } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { type Price, PriceBook } from '#server/models/prices.ts'
import type { Services } from '#server/services.ts'

/** Another process learns of a changed price within this time; the one that changed it, at once. */
const freshForMs = 10_000

const books = new WeakMap<Database, { book: Promise<PriceBook>; readAt: number }>()

const ownPrices = preparedQuery<Record<string, never>>()((db) => db.selectFrom('model_prices').selectAll())

/** What models cost just now. A call keeps the price it was reserved at; each turn of a run looks anew. */
export function priceBook(services: Services): Promise<PriceBook> {
  const now = services.now().getTime()
  const known = books.get(services.db)
  if (known && now - known.readAt < freshForMs) return known.book
  const book = readBook(services.db, services.now())
  books.set(services.db, { book, readAt: now })
  // What could not be read is not remembered.
  book.catch(() => forgetPrices(services))
  return book
}

export function forgetPrices(services: Services): void {
  books.delete(services.db)
}

async function readBook(db: Database, now: Date): Promise<PriceBook> {
  const rows = await ownPrices.all(db, {})
  return new PriceBook(
    rows.map((row) => ({ provider: row.provider, model: row.model, ...toPrice(row) })),
    now,
  )
}

/** A price set on this server, in dollars for a million tokens. */
export function toPrice(row: Omit<Selectable<Schema['model_prices']>, 'updated_at' | 'updated_by'>): Price {
  return {
    input: row.input_micros / 1_000_000,
    ...(row.cached_input_micros !== null && { cachedInput: row.cached_input_micros / 1_000_000 }),
    ...(row.cache_write_micros !== null && { cacheWrite: row.cache_write_micros / 1_000_000 }),
    output: row.output_micros / 1_000_000,
  }
}
