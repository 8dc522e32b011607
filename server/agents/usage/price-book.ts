import type { Provider } from '#contract/agents/model-settings.ts'
import { type Database, preparedQuery } from '#server/db/database.ts'
import { PriceBook } from '#server/models/prices.ts'
import type { Services } from '#server/services.ts'

/** Another process learns of a changed price within this time; the one that changed it, at once. */
const freshForMs = 10_000

const books = new WeakMap<Database, { book: Promise<PriceBook>; readAt: number }>()

const ownPrices = preparedQuery<Record<string, never>>()((db) =>
  db.selectFrom('model_prices').select(['provider', 'model', 'input_micros', 'output_micros']),
)

/** What models cost just now. A call keeps the price it was reserved at; each turn of a run looks anew. */
export function priceBook(services: Services): Promise<PriceBook> {
  const now = services.now().getTime()
  const known = books.get(services.db)
  if (known && now - known.readAt < freshForMs) return known.book
  const book = readBook(services.db)
  books.set(services.db, { book, readAt: now })
  // What could not be read is not remembered.
  book.catch(() => forgetPrices(services))
  return book
}

export function forgetPrices(services: Services): void {
  books.delete(services.db)
}

async function readBook(db: Database): Promise<PriceBook> {
  const rows = await ownPrices.all(db, {})
  return new PriceBook(
    rows.map((row) => ({
      provider: row.provider as Provider,
      model: row.model,
      input: row.input_micros / 1_000_000,
      output: row.output_micros / 1_000_000,
    })),
  )
}
