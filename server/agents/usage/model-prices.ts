import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Provider } from '#contract/agents/model-settings.ts'
import type { ModelPrice } from '#contract/agents/usage.ts'
import { isProvider } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { listCatalogPrices, type Price } from '#server/models/prices.ts'
import type { Services } from '#server/services.ts'
import { dollarWords } from './dollar-words.ts'
import { forgetPrices, toPrice } from './price-book.ts'

export async function listModelPrices(services: Services): Promise<ModelPrice[]> {
  const own = await services.db.selectFrom('model_prices').selectAll().execute()
  const prices = new Map<string, ModelPrice>(
    listCatalogPrices(services.now())
      .filter(({ provider }) => isProvider(provider))
      .map(({ provider, model, ...price }) => [
        `${provider}/${model}`,
        { provider: provider as Provider, model, ...toFigures(price), source: 'list', updated_at: null },
      ]),
  )
  for (const row of own) prices.set(`${row.provider}/${row.model}`, ownView(row))
  return [...prices.values()].sort((a, b) =>
    a.provider === b.provider ? (a.model < b.model ? -1 : 1) : a.provider < b.provider ? -1 : 1,
  )
}

export async function setModelPrice(
  services: Services,
  person: Person,
  given: PricedModel & PriceFigures,
): Promise<ModelPrice> {
  const { provider, model } = given
  const { db } = services
  const before = await ownPrice(services, given)
  const values = {
    input_micros: toMicros(given.input_usd),
    output_micros: toMicros(given.output_usd),
    cached_input_micros: given.cached_input_usd == null ? null : toMicros(given.cached_input_usd),
    cache_write_micros: given.cache_write_usd == null ? null : toMicros(given.cache_write_usd),
    updated_at: services.now().getTime(),
    updated_by: person.id,
  }
  const priced = { provider, model, ...values }
  if (before && figureColumns.every((column) => before[column] === values[column])) return ownView(before)
  const write = before
    ? db.updateTable('model_prices').set(values).where(isUnchanged(before))
    : db
        .insertInto('model_prices')
        .values({ provider, model, ...values })
        .onConflict((conflict) => conflict.columns(['provider', 'model']).doNothing())
  try {
    await db.batch([
      requireChanges(write),
      auditing(services, {
        action: 'model-price-set',
        actor: person,
        subject: `${provider}/${model}`,
        details: {
          from: before ? priceWords(before) : listPriceWords(services, given),
          to: priceWords(priced),
        },
      }),
    ])
  } catch (error) {
    // Set concurrently, so read again and retry.
    if (error instanceof UnexpectedChanges) return setModelPrice(services, person, given)
    throw error
  }
  forgetPrices(services)
  return ownView(priced)
}

export async function removeModelPrice(services: Services, person: Person, given: PricedModel): Promise<void> {
  const { provider, model } = given
  const before = await ownPrice(services, given)
  if (!before) return
  try {
    await services.db.batch([
      requireChanges(services.db.deleteFrom('model_prices').where(isUnchanged(before))),
      auditing(services, {
        action: 'model-price-removed',
        actor: person,
        subject: `${provider}/${model}`,
        details: { from: priceWords(before), to: listPriceWords(services, given) },
      }),
    ])
  } catch (error) {
    if (error instanceof UnexpectedChanges) return removeModelPrice(services, person, given)
    throw error
  }
  forgetPrices(services)
}

type PricedModel = Pick<ModelPrice, 'provider' | 'model'>
type OwnPriceRow = Selectable<Schema['model_prices']>

function ownPrice({ db }: Services, { provider, model }: PricedModel): Promise<OwnPriceRow | undefined> {
  return db
    .selectFrom('model_prices')
    .selectAll()
    .where('provider', '=', provider)
    .where('model', '=', model)
    .executeTakeFirst()
}

const figureColumns = ['input_micros', 'output_micros', 'cached_input_micros', 'cache_write_micros'] as const

function isUnchanged(row: OwnPriceRow) {
  return (where: ExpressionBuilder<Schema, 'model_prices'>) =>
    where.and([
      where('provider', '=', row.provider),
      where('model', '=', row.model),
      ...figureColumns.map((column) => where(column, row[column] === null ? 'is' : '=', row[column])),
    ])
}

function priceWords(row: Omit<OwnPriceRow, 'updated_at' | 'updated_by'>): string {
  return describePrice(toPrice(row))
}

function listPriceWords({ now }: Services, { provider, model }: PricedModel): string | null {
  const price = listCatalogPrices(now()).find((listed) => listed.provider === provider && listed.model === model)
  return price ? describePrice(price) : null
}

function describePrice({ input, cachedInput, cacheWrite, output }: Price): string {
  return [
    `${dollarWords(input)} in`,
    ...(cachedInput === undefined ? [] : [`${dollarWords(cachedInput)} cached`]),
    ...(cacheWrite === undefined ? [] : [`${dollarWords(cacheWrite)} cache write`]),
    `${dollarWords(output)} out`,
  ].join(', ')
}

interface PriceFigures {
  input_usd: number
  output_usd: number
  cached_input_usd?: number | null | undefined
  cache_write_usd?: number | null | undefined
}

const toMicros = (dollars: number) => Math.round(dollars * 1_000_000)

function toFigures({ input, cachedInput, cacheWrite, output }: Price): Pick<ModelPrice, keyof PriceFigures> {
  return {
    input_usd: input,
    output_usd: output,
    cached_input_usd: cachedInput ?? null,
    cache_write_usd: cacheWrite ?? null,
  }
}

function ownView(row: Omit<OwnPriceRow, 'updated_by'>): ModelPrice {
  return {
    provider: row.provider,
    model: row.model,
    ...toFigures(toPrice(row)),
    source: 'own',
    updated_at: new Date(row.updated_at).toISOString(),
  }
}
