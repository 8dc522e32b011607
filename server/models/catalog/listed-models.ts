import { LruMap } from '#contract/lru-map.ts'
import { toModelKey } from '../provider-address.ts'
import type { ListedModel } from '../providers/provider.ts'

const maxModels = 5000
const byModel = new LruMap<string, ListedModel>(maxModels)
/** By provider, because costs are calculated without an address. */
const prices = new LruMap<string, NonNullable<ListedModel['price']>>(maxModels)

export function getListedModel(baseUrl: string, model: string): ListedModel | undefined {
  return byModel.get(toModelKey(baseUrl, model))
}

export function getListedPrice(provider: string, model: string): ListedModel['price'] {
  return prices.get(`${provider}/${model}`)
}

export function rememberListedModels(provider: string, baseUrl: string, models: readonly ListedModel[]): void {
  for (const model of models) {
    byModel.set(toModelKey(baseUrl, model.id), model)
    if (model.price) prices.set(`${provider}/${model.id}`, model.price)
  }
}

export function forgetListedModels(): void {
  byModel.clear()
  prices.clear()
}
