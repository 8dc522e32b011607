import type { Selectable } from 'kysely'
import type { ModelPrice } from '#contract/agents/usage.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { listPrices } from '#server/models/prices.ts'
import type { Services } from '#server/services.ts'
import { dollarWords } from './dollar-words.ts'
import { forgetPrices } from './price-book.ts'

/** Every known price: those that come with Keeper under those set here, by provider and model. */
export async function listModelPrices(services: Services): Promise<ModelPrice[]> {
  const own = await services.db.selectFrom('model_prices').selectAll().execute()
  const prices = new Map<string, ModelPrice>(
    listPrices.map(({ provider, model, input, output }) => [
      `${provider}/${model}`,
      { provider, model, input_usd: input, output_usd: output, source: 'list', updated_at: null },
    ]),
  )
  for (const row of own) prices.set(`${row.provider}/${row.model}`, ownView(row))
  return [...prices.values()].sort((a, b) =>
    a.provider === b.provider ? (a.model < b.model ? -1 : 1) : a.provider < b.provider ? -1 : 1,
  )
}

/** Setting what is set already writes nothing. */
export async function setModelPrice(
  services: Services,
  person: Person,
  given: PricedModel & { input_usd: number; output_usd: number },
): Promise<ModelPrice> {
  const { provider, model } = given
  const { db } = services
  const before = await ownPrice(services, given)
  const values = {
    input_micros: Math.round(given.input_usd * 1_000_000),
    output_micros: Math.round(given.output_usd * 1_000_000),
    updated_at: services.now().getTime(),
    updated_by: person.id,
  }
  if (before?.input_micros === values.input_micros && before.output_micros === values.output_micros)
    return ownView(before)
  const write = before
    ? db
        .updateTable('model_prices')
        .set(values)
        .where(({ and }) => and(asLookedAt(before)))
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
        details: { from: before ? priceWords(before) : listPriceWords(given), to: priceWords(values) },
      }),
    ])
  } catch (error) {
    // Somebody changed the same one at the same moment: looked at again, with what is so now.
    if (error instanceof UnexpectedChanges) return setModelPrice(services, person, given)
    throw error
  }
  forgetPrices(services)
  return ownView({ provider, model, ...values })
}

/** A price that was never set here is as gone as one that was. */
export async function removeModelPrice(services: Services, person: Person, given: PricedModel): Promise<void> {
  const { provider, model } = given
  const before = await ownPrice(services, given)
  if (!before) return
  try {
    await services.db.batch([
      requireChanges(services.db.deleteFrom('model_prices').where(({ and }) => and(asLookedAt(before)))),
      auditing(services, {
        action: 'model-price-removed',
        actor: person,
        subject: `${provider}/${model}`,
        details: { from: priceWords(before), to: listPriceWords(given) },
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

/** Written only over what was looked at. */
function asLookedAt({ provider, model, input_micros, output_micros }: OwnPriceRow) {
  return { provider, model, input_micros, output_micros }
}

function priceWords({ input_micros, output_micros }: Pick<OwnPriceRow, 'input_micros' | 'output_micros'>): string {
  return inAndOut(input_micros / 1_000_000, output_micros / 1_000_000)
}

function listPriceWords({ provider, model }: PricedModel): string | null {
  const price = listPrices.find((each) => each.provider === provider && each.model === model)
  return price ? inAndOut(price.input, price.output) : null
}

const inAndOut = (input: number, output: number) => `${dollarWords(input)} in, ${dollarWords(output)} out`

function ownView(row: Omit<OwnPriceRow, 'updated_by'>): ModelPrice {
  return {
    provider: row.provider,
    model: row.model,
    input_usd: row.input_micros / 1_000_000,
    output_usd: row.output_micros / 1_000_000,
    source: 'own',
    updated_at: new Date(row.updated_at).toISOString(),
  }
}
