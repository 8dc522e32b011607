import type { ExpressionBuilder, Selectable } from 'kysely'
import type * as z from 'zod/mini'
import type { ModelPrice, usageCalls } from '#contract/agents/usage.ts'
import { compareStrings } from '#contract/compare-strings.ts'
import { isProvider } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { type Database, prepareQuery, requireChanges } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import { retryChanges } from '#server/http/retry-changes.ts'
import { listCatalogPrices, type Price, PriceBook } from '#server/models/prices.ts'
import type { Services } from '#server/services.ts'
import { formatDollars, toDollars, toMicros } from '#server/values/dollars.ts'
import { toIsoTime } from '#server/values/iso-time.ts'

export async function listModelPrices(services: Services): Promise<ModelPrice[]> {
  const customPrices = await services.db.selectFrom('model_prices').selectAll().execute()
  const prices = new Map<string, ModelPrice>(
    listCatalogPrices(services.now())
      .filter(({ provider }) => isProvider(provider))
      .map(({ provider, model, ...price }) => [
        `${provider}/${model}`,
        { provider, model, ...toPriceFields(price), source: 'list', updated_at: null },
      ]),
  )
  for (const row of customPrices) prices.set(`${row.provider}/${row.model}`, toCustomPriceView(row))
  return [...prices.values()].sort((a, b) => compareStrings(a.provider, b.provider) || compareStrings(a.model, b.model))
}

export async function setModelPrice(services: Services, person: Person, input: PriceInput): Promise<ModelPrice> {
  const { provider, model } = input
  const { db } = services
  const values = {
    input_micros: toMicros(input.input_usd),
    output_micros: toMicros(input.output_usd),
    cached_input_micros: toMicros(input.cached_input_usd),
    cache_write_micros: toMicros(input.cache_write_usd),
    updated_at: services.now().getTime(),
    updated_by: person.id,
  }
  const priceRow = { provider, model, ...values }
  return retryChanges(async () => {
    const existing = await findCustomPrice(services, input)
    if (existing && priceColumns.every((column) => existing[column] === values[column]))
      return toCustomPriceView(existing)
    const write = existing
      ? db.updateTable('model_prices').set(values).where(createUnchangedCondition(existing))
      : db
          .insertInto('model_prices')
          .values(priceRow)
          .onConflict((conflict) => conflict.columns(['provider', 'model']).doNothing())
    const from = existing ? formatPriceRow(existing) : formatListPrice(services, input)
    const details = { from, to: formatPriceRow(priceRow) }
    const audit = { action: 'model-price-set', actor: person, subject: `${provider}/${model}`, details } as const
    await db.batch([requireChanges(write), insertAudit(services, audit)])
    forgetPrices(services)
    return toCustomPriceView(priceRow)
  })
}

export async function removeModelPrice(services: Services, person: Person, input: PricedModel): Promise<void> {
  await retryChanges(async () => {
    const existing = await findCustomPrice(services, input)
    if (!existing) return
    const details = { from: formatPriceRow(existing), to: formatListPrice(services, input) }
    const subject = `${input.provider}/${input.model}`
    await services.db.batch([
      requireChanges(services.db.deleteFrom('model_prices').where(createUnchangedCondition(existing))),
      insertAudit(services, { action: 'model-price-removed', actor: person, subject, details }),
    ])
    forgetPrices(services)
  })
}

type PriceInput = z.output<typeof usageCalls.setPrice.body & {}>
type PricedModel = Pick<PriceInput, 'provider' | 'model'>
type CustomPriceRow = Selectable<Schema['model_prices']>

function findCustomPrice({ db }: Services, { provider, model }: PricedModel): Promise<CustomPriceRow | undefined> {
  return db
    .selectFrom('model_prices')
    .selectAll()
    .where('provider', '=', provider)
    .where('model', '=', model)
    .executeTakeFirst()
}

const priceColumns = ['input_micros', 'output_micros', 'cached_input_micros', 'cache_write_micros'] as const

function createUnchangedCondition(row: CustomPriceRow) {
  return (where: ExpressionBuilder<Schema, 'model_prices'>) =>
    where.and([
      where('provider', '=', row.provider),
      where('model', '=', row.model),
      ...priceColumns.map((column) => where(column, row[column] === null ? 'is' : '=', row[column])),
    ])
}

function formatPriceRow(row: Omit<CustomPriceRow, 'updated_at' | 'updated_by'>): string {
  return describePrice(toPrice(row))
}

function formatListPrice({ now }: Services, { provider, model }: PricedModel): string | null {
  const price = listCatalogPrices(now()).find((listed) => listed.provider === provider && listed.model === model)
  return price ? describePrice(price) : null
}

function describePrice({ input, cachedInput, cacheWrite, output }: Price): string {
  return [
    `${formatDollars(input)} in`,
    ...(cachedInput === undefined ? [] : [`${formatDollars(cachedInput)} cached`]),
    ...(cacheWrite === undefined ? [] : [`${formatDollars(cacheWrite)} cache write`]),
    `${formatDollars(output)} out`,
  ].join(', ')
}

function toPriceFields({ input, cachedInput, cacheWrite, output }: Price) {
  const cachePrices = { cached_input_usd: cachedInput ?? null, cache_write_usd: cacheWrite ?? null }
  return { input_usd: input, output_usd: output, ...cachePrices }
}

function toCustomPriceView(row: Omit<CustomPriceRow, 'updated_by'>): ModelPrice {
  return {
    provider: row.provider,
    model: row.model,
    ...toPriceFields(toPrice(row)),
    source: 'own',
    updated_at: toIsoTime(row.updated_at),
  }
}

const priceCacheMs = 10_000

const priceBookCache = new WeakMap<Database, { book: Promise<PriceBook>; readAt: number }>()

const customPricesQuery = prepareQuery<Record<string, never>>()((db) => db.selectFrom('model_prices').selectAll())

export function getPriceBook(services: Services): Promise<PriceBook> {
  const now = services.now().getTime()
  const cached = priceBookCache.get(services.db)
  if (cached && now - cached.readAt < priceCacheMs) return cached.book
  const book = loadPriceBook(services.db, services.now())
  priceBookCache.set(services.db, { book, readAt: now })
  book.catch(() => forgetPrices(services))
  return book
}

function forgetPrices(services: Services): void {
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
function toPrice(row: Omit<CustomPriceRow, 'updated_at' | 'updated_by'>): Price {
  return {
    input: toDollars(row.input_micros),
    ...(row.cached_input_micros !== null && { cachedInput: toDollars(row.cached_input_micros) }),
    ...(row.cache_write_micros !== null && { cacheWrite: toDollars(row.cache_write_micros) }),
    output: toDollars(row.output_micros),
  }
}
