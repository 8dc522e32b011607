import { createHash } from 'node:crypto'
import { LruMap } from '#contract/lru-map.ts'
import type { ListedModel } from '../providers/provider.ts'

const maxModels = 5000
const byModel = new LruMap<string, ListedModel>(maxModels)
/** Prices go by the provider: what a call costs is asked without its address. */
const prices = new LruMap<string, NonNullable<ListedModel['price']>>(maxModels)

/** An address may hold what is nobody's business. */
const toKey = (baseUrl: string, model: string) =>
  createHash('sha256').update(`${baseUrl}\n${model}`).digest('base64url')

/** What the provider's list said of a model since this process started. */
export function getListedModel(baseUrl: string, model: string): ListedModel | undefined {
  return byModel.get(toKey(baseUrl, model))
}

export function getListedPrice(provider: string, model: string): ListedModel['price'] {
  return prices.get(`${provider}/${model}`)
}

export function rememberListedModels(provider: string, baseUrl: string, models: readonly ListedModel[]): void {
  for (const model of models) {
    byModel.set(toKey(baseUrl, model.id), model)
    if (model.price) prices.set(`${provider}/${model.id}`, model.price)
  }
}

/** Forgets everything, for tests that share an address. */
export function forgetListedModels(): void {
  byModel.clear()
  prices.clear()
}
