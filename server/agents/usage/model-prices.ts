import type { Provider } from '#contract/agents/model-settings.ts'
import type { ModelPrice } from '#contract/agents/usage.ts'
import type { Person } from '#server/accounts/person.ts'
import { listPrices } from '#server/models/prices.ts'
import type { Services } from '#server/services.ts'
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
  for (const row of own) {
    prices.set(`${row.provider}/${row.model}`, {
      provider: row.provider,
      model: row.model,
      input_usd: row.input_micros / 1_000_000,
      output_usd: row.output_micros / 1_000_000,
      source: 'own',
      updated_at: new Date(row.updated_at).toISOString(),
    })
  }
  return [...prices.values()].sort((a, b) =>
    a.provider === b.provider ? (a.model < b.model ? -1 : 1) : a.provider < b.provider ? -1 : 1,
  )
}

export async function setModelPrice(
  services: Services,
  person: Person,
  given: { provider: Provider; model: string; input_usd: number; output_usd: number },
): Promise<ModelPrice> {
  const { provider, model, input_usd, output_usd } = given
  const values = {
    input_micros: Math.round(input_usd * 1_000_000),
    output_micros: Math.round(output_usd * 1_000_000),
    updated_at: services.now().getTime(),
    updated_by: person.id,
  }
  await services.db
    .insertInto('model_prices')
    .values({ provider, model, ...values })
    .onConflict((conflict) => conflict.columns(['provider', 'model']).doUpdateSet(values))
    .execute()
  forgetPrices(services)
  return {
    provider,
    model,
    input_usd: values.input_micros / 1_000_000,
    output_usd: values.output_micros / 1_000_000,
    source: 'own',
    updated_at: new Date(values.updated_at).toISOString(),
  }
}

/** A price that was never set here is as gone as one that was. */
export async function removeModelPrice(
  services: Services,
  { provider, model }: { provider: Provider; model: string },
): Promise<void> {
  await services.db.deleteFrom('model_prices').where('provider', '=', provider).where('model', '=', model).execute()
  forgetPrices(services)
}
