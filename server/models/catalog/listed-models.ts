import { LruMap } from '#contract/lru-map.ts'
import { toModelKey } from '../provider-address.ts'
import type { ListedModel } from '../providers/provider.ts'

const maxModels = 5000
const modelsByKey = new LruMap<string, ListedModel>(maxModels)
/** Keyed by provider and model, because costs are calculated without an address. */
const pricesByModel = new LruMap<string, NonNullable<ListedModel['price']>>(maxModels)

export function getListedModel(baseUrl: string, model: string): ListedModel | undefined {
  return modelsByKey.get(toModelKey(baseUrl, model))
}

export function getListedPrice(provider: string, model: string): ListedModel['price'] {
  return pricesByModel.get(`${provider}/${model}`)
}

export function rememberListedModels(provider: string, baseUrl: string, models: readonly ListedModel[]): void {
  for (const model of models) {
    modelsByKey.set(toModelKey(baseUrl, model.id), model)
    if (model.price) pricesByModel.set(`${provider}/${model.id}`, model.price)
  }
}

export function forgetListedModels(): void {
  modelsByKey.clear()
  pricesByModel.clear()
}
