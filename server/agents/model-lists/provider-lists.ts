import type { Provider } from '#contract/agents/model-settings.ts'
import type { ModelDetails, ModelList, VoiceList } from '#contract/agents/models.ts'
import { getProviderInfo, getProviderName } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { type ChosenKey, chooseKey } from '#server/keys/choose-key.ts'
import { recordKeyVerdict, type UsedKey } from '#server/keys/key-verdict.ts'
import { getProviderSettings } from '#server/keys/provider-keys.ts'
import { getCatalog } from '#server/models/catalog/catalog.ts'
import {
  chooseRecommended,
  getLifecycle,
  type ModelLifecycle,
  type ModelListing,
} from '#server/models/catalog/model-lifecycle.ts'
import { type ListRequest, listModels, listVoices, type Voice } from '#server/models/list-models.ts'
import type { ModelRuntime } from '#server/models/model-request.ts'
import type { Price } from '#server/models/prices.ts'
import type { ListedModel } from '#server/models/providers/provider.ts'
import { ModelFailure } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import { toIsoTime } from '#server/values/iso-time.ts'
import { getModelPurpose, isChatModel, toModelListing } from '../default-model.ts'
import { getPriceBook } from '../usage/model-prices.ts'
import type { ListResult } from './list-cache.ts'
import { requireRefreshQuota } from './list-cache.ts'

const maxRecommended = 3

function listRecommendedModels(provider: Provider, state: ModelListing, now: Date): string[] {
  const purpose = getModelPurpose(provider)
  const isAvailable = (model: string) => getLifecycle(provider, model, state, now).status === 'available'
  if (!state.models) {
    const catalogIds = getCatalog()
      .listRecommended(provider, purpose)
      .map(({ id }) => id)
    return catalogIds.filter(isAvailable).slice(0, maxRecommended)
  }
  let models = state.models.filter(({ id }) => {
    const entry = getCatalog().findAnywhere(provider, id)
    return (!entry || entry.purpose === purpose) && isAvailable(id)
  })
  const recommended: string[] = []
  while (models.length > 0 && recommended.length < maxRecommended) {
    const next = chooseRecommended(provider, { ...state, models }, purpose) ?? ''
    if (!models.some(({ id }) => id === next)) break
    recommended.push(next)
    models = models.filter(({ id }) => id !== next)
  }
  return recommended
}

/** Local servers have no built-in models. A provider failure is returned as `problem`, not thrown. */
export async function getModelList(
  services: Services,
  person: Person,
  { provider, fresh = false }: { provider: Provider; fresh?: boolean },
): Promise<ModelList> {
  const { key, result, fetchedAt } = await fetchListForPerson(services, person, createModelSelection(provider, fresh))
  const { baseUrl } = getProviderSettings(services, provider)
  const chatModels = result?.items?.filter(isChatModel)
  const builtInModels = chatModels && baseUrl ? [] : getProviderInfo(provider).offeredModels
  const modelNames = [...new Set([...(chatModels ?? []).map(({ id }) => id), ...builtInModels])]
  const state = toModelListing(services, provider, chatModels)
  const priceBook = await getPriceBook(services)
  return {
    provider,
    models: modelNames,
    details: modelNames.map((model) => ({
      model,
      ...toLifecycleFields(getLifecycle(provider, model, state, services.now())),
      window:
        chatModels?.find(({ id }) => id === model)?.window ??
        getCatalog().findAnywhere(provider, model)?.window ??
        null,
      price: toPriceFields(priceBook.find(provider, model)),
    })),
    default_model: chooseRecommended(provider, state, getModelPurpose(provider)) ?? modelNames[0] ?? '',
    recommended: listRecommendedModels(provider, state, services.now()),
    source: chatModels ? 'provider' : 'list',
    key_source: key.source,
    local_host: baseUrl ? new URL(baseUrl).host : null,
    fetched_at: chatModels ? toIsoTime(fetchedAt) : null,
    problem: result?.problem ?? null,
  }
}

export async function fetchModelListing(services: Services, person: Person, provider: Provider): Promise<ModelListing> {
  const { result } = await fetchListForPerson(services, person, createModelSelection(provider, false))
  return toModelListing(services, provider, result?.items ?? undefined)
}

export function toLifecycleFields({ status, shutdownDate, replacement }: ModelLifecycle) {
  return { status, shutdown_date: shutdownDate, replacement }
}

function toPriceFields(price: Price | null): ModelDetails['price'] {
  return price && { input_usd: price.input, cached_input_usd: price.cachedInput ?? null, output_usd: price.output }
}

export async function getVoiceList(
  services: Services,
  person: Person,
  { fresh = false }: { fresh?: boolean },
): Promise<VoiceList> {
  const { key, result, fetchedAt } = await fetchListForPerson(services, person, createVoiceSelection(fresh))
  const noKeyText = 'Listing ElevenLabs voices needs a key. Add one under Personal API Keys.'
  return {
    voices: result?.items ?? [],
    key_source: key.source,
    fetched_at: result?.items ? toIsoTime(fetchedAt) : null,
    problem: result ? result.problem : noKeyText,
  }
}

export async function fetchModelList(
  services: Services,
  key: ChosenKey,
  { provider, fresh }: { provider: Provider; fresh: boolean },
): Promise<ListResult<ListedModel>> {
  return (await fetchListWithKey(services, key, createModelSelection(provider, fresh))).result
}

/** At most an hour old; `null` if the voices can't be listed. */
export async function fetchVoicesForKey(services: Services, key: ChosenKey): Promise<Voice[] | null> {
  return (await fetchListWithKey(services, key, createVoiceSelection(false))).result.items
}

interface ListSelection<Item> {
  kind: 'models' | 'voices'
  provider: Provider
  fresh: boolean
  fetchItems(runtime: ModelRuntime, request: ListRequest): Promise<Item[]>
}

const createModelSelection = (provider: Provider, fresh: boolean): ListSelection<ListedModel> => ({
  kind: 'models',
  provider,
  fresh,
  fetchItems: listModels,
})

const createVoiceSelection = (fresh: boolean): ListSelection<Voice> => ({
  kind: 'voices',
  provider: 'elevenlabs',
  fresh,
  fetchItems: listVoices,
})

async function fetchListForPerson<Item>(
  services: Services,
  person: Person,
  selection: ListSelection<Item>,
): Promise<{ key: Pick<ChosenKey, 'source'>; result?: ListResult<Item>; fetchedAt: number }> {
  if (selection.fresh) await requireRefreshQuota(services, person, 'provider-list-fresh')
  let key: ChosenKey
  try {
    const agent = { owner_id: null, visitors_spend_owner_key: false }
    key = await chooseKey(services, { personId: person.id, agent }, selection.provider)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // The saved key can't be decrypted; another key must not pay in its place.
    return { key: { source: 'none' }, result: { items: null, problem: error.message }, fetchedAt: 0 }
  }
  if (key.source === 'mock') return { key, fetchedAt: 0 }
  return { key, ...(await fetchListWithKey(services, key, selection)) }
}

function fetchListWithKey<Item>(
  services: Services,
  { key, payer, baseUrl, headers }: Omit<ChosenKey, 'source'>,
  { kind, provider, fresh, fetchItems }: ListSelection<Item>,
): Promise<{ result: ListResult<Item>; fetchedAt: number }> {
  const request = { provider, credential: { key, baseUrl, headers }, signal: new AbortController().signal }
  return services.modelLists.get<Item>(
    { kind, provider, payer, key, baseUrl },
    {
      fresh,
      now: () => services.now().getTime(),
      fetchList: () =>
        tryFetchItems(services, { provider, payer, key }, () => fetchItems(services.modelRuntime, request)),
    },
  )
}

/** Never rejects: failures become the visible problem. Also saves the verdict on the key. */
async function tryFetchItems<Item>(
  services: Services,
  keyInUse: UsedKey,
  fetchItems: () => Promise<Item[]>,
): Promise<ListResult<Item>> {
  try {
    const items = await fetchItems()
    await recordKeyVerdict(services, keyInUse, 'works')
    return { items, problem: null }
  } catch (error) {
    if (error instanceof ModelFailure) {
      await recordKeyVerdict(services, keyInUse, error)
      return { items: null, problem: error.message, failure: { code: error.code, status: error.status } }
    }
    services.log.error({ err: error, provider: keyInUse.provider }, 'could not read the list of a provider')
    return {
      items: null,
      problem: `The list from ${getProviderName(keyInUse.provider)} couldn’t be read. Try again later.`,
    }
  }
}
