import type { Provider } from '#contract/agents/model-settings.ts'
import type { ModelDetails, ModelList, VoiceList } from '#contract/agents/models.ts'
import { getProviderFacts, getProviderName } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { Problem } from '#server/http/problem.ts'
import { countTry } from '#server/http/throttle.ts'
import { type ChosenKey, chooseKey } from '#server/keys/choose-key.ts'
import { noteKeyVerdict } from '#server/keys/key-verdict.ts'
import { getProviderSettings } from '#server/keys/provider-settings.ts'
import { getCatalog } from '#server/models/catalog/catalog.ts'
import {
  chooseRecommended,
  getLifecycle,
  type ListedState,
  type ModelLifecycle,
} from '#server/models/catalog/model-lifecycle.ts'
import { listModels } from '#server/models/list-models.ts'
import { listVoices, type Voice } from '#server/models/list-voices.ts'
import type { Credential } from '#server/models/model-request.ts'
import type { Price } from '#server/models/prices.ts'
import type { ListedModel } from '#server/models/providers/provider.ts'
import { ModelFailure } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import { purposeFor, toListedState } from '../default-model.ts'
import { priceBook } from '../usage/price-book.ts'
import type { Heard } from './list-cache.ts'

const freshTries = { kind: 'provider-list-fresh', limit: 6, windowMs: 60_000 }

/**
 * The models the asking person may choose from: what the provider offers their key (the one that would pay for their
 * run), and after them those that come with Keeper; a local server has only what it says. Where nothing was heard, those
 * that come with Keeper, with the reason. A provider that fails is no failure of this call.
 */
export async function modelList(
  services: Services,
  person: Person,
  { provider, fresh = false }: { provider: Provider; fresh?: boolean },
): Promise<ModelList> {
  const { key, heard, at } = await hearModels(services, person, { provider, fresh })
  const { baseUrl } = getProviderSettings(services.settings, provider)
  const offered = heard?.items ?? undefined
  const known = offered && baseUrl ? [] : getProviderFacts(provider).offeredModels
  const names = [...new Set([...(offered ?? []).map(({ id }) => id), ...known])]
  const state = toListedState(services, provider, offered)
  const book = await priceBook(services)
  return {
    provider,
    models: names,
    details: names.map((model) => ({
      model,
      ...toLifecycleFields(getLifecycle(provider, model, state, services.now())),
      window:
        offered?.find(({ id }) => id === model)?.window ?? getCatalog().findAnywhere(provider, model)?.window ?? null,
      price: toPriceFields(book.find(provider, model)),
    })),
    default_model: chooseRecommended(provider, state, purposeFor(provider)) ?? names[0] ?? '',
    source: offered ? 'provider' : 'list',
    key_source: key.source,
    local_host: baseUrl ? new URL(baseUrl).host : null,
    fetched_at: offered ? new Date(at).toISOString() : null,
    problem: heard?.problem ?? null,
  }
}

function hearModels(services: Services, person: Person, { provider, fresh }: { provider: Provider; fresh: boolean }) {
  return hearList(services, person, { what: 'models', provider, fresh }, (credential) =>
    listModels(services.modelRuntime, { provider, credential, signal: new AbortController().signal }),
  )
}

/** What the provider lists for the asking person's key, as far as it could be asked. */
export async function listedState(services: Services, person: Person, provider: Provider): Promise<ListedState> {
  const { heard } = await hearModels(services, person, { provider, fresh: false })
  return toListedState(services, provider, heard?.items ?? undefined)
}

export function toLifecycleFields({ status, shutdownDate, replacement }: ModelLifecycle) {
  return { status, shutdown_date: shutdownDate, replacement }
}

function toPriceFields(price: Price | null): ModelDetails['price'] {
  return price && { input_usd: price.input, cached_input_usd: price.cachedInput ?? null, output_usd: price.output }
}

/** The voices of ElevenLabs for the asking person's key. There are none without asking, so a missing key is a problem. */
export async function voiceList(
  services: Services,
  person: Person,
  { fresh = false }: { fresh?: boolean },
): Promise<VoiceList> {
  const provider = 'elevenlabs'
  const { key, heard, at } = await hearList(services, person, { what: 'voices', provider, fresh }, (credential) =>
    listVoices(services.modelRuntime, { credential, signal: new AbortController().signal }),
  )
  const noKey = 'Voices come from ElevenLabs, which is not asked without a key. Add one under Personal API Keys.'
  return {
    voices: heard?.items ?? [],
    key_source: key.source,
    fetched_at: heard?.items ? new Date(at).toISOString() : null,
    problem: heard ? heard.problem : noKey,
  }
}

/** The models this key may use, asked for now. */
export function modelsForKey(services: Services, key: ChosenKey, provider: Provider): Promise<Heard<ListedModel>> {
  return fetchModelList(services, key, { provider, fresh: true })
}

/** The models this key may use, as they were heard in the last hour unless `fresh`. */
export async function fetchModelList(
  services: Services,
  key: ChosenKey,
  { provider, fresh }: { provider: Provider; fresh: boolean },
): Promise<Heard<ListedModel>> {
  const { heard } = await fetchWithKey(services, key, { what: 'models', provider, fresh }, (credential) =>
    listModels(services.modelRuntime, { provider, credential, signal: new AbortController().signal }),
  )
  return heard
}

/** The voices this key may speak with, as they were heard in the last hour; `null` where they cannot be listed. */
export async function voicesForKey(services: Services, key: ChosenKey): Promise<Voice[] | null> {
  const { heard } = await fetchWithKey(
    services,
    key,
    { what: 'voices', provider: 'elevenlabs', fresh: false },
    (credential) => listVoices(services.modelRuntime, { credential, signal: new AbortController().signal }),
  )
  return heard.items
}

interface Wanted {
  what: 'models' | 'voices'
  provider: Provider
  fresh: boolean
}

/** `heard` is undefined where there is nobody to ask. */
async function hearList<Item>(
  services: Services,
  person: Person,
  wanted: Wanted,
  ask: (credential: Credential) => Promise<Item[]>,
): Promise<{ key: Pick<ChosenKey, 'source'>; heard?: Heard<Item>; at: number }> {
  if (wanted.fresh) await holdToFreshTries(services, person)
  let key: ChosenKey
  try {
    const agent = { owner_id: null, visitors_spend_owner_key: false }
    key = await chooseKey(services, { personId: person.id, agent }, wanted.provider)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // A saved key that cannot be opened any more: no other is spent in its place.
    return { key: { source: 'none' }, heard: { items: null, problem: error.message }, at: 0 }
  }
  if (key.source === 'mock') return { key, at: 0 }
  return { key, ...(await fetchWithKey(services, key, wanted, ask)) }
}

async function fetchWithKey<Item>(
  services: Services,
  { key, payer, baseUrl, headers }: Omit<ChosenKey, 'source'>,
  { what, provider, fresh }: Wanted,
  ask: (credential: Credential) => Promise<Item[]>,
): Promise<{ heard: Heard<Item>; at: number }> {
  return services.lists.get<Item>(
    { what, provider, payer, key, baseUrl },
    {
      fresh,
      now: () => services.now().getTime(),
      ask: () => heardFrom(services, { provider, payer, key }, () => ask({ key, baseUrl, headers })),
    },
  )
}

/** Never rejects: what went wrong becomes the problem that is shown, and what it says of the key is kept. */
async function heardFrom<Item>(
  services: Services,
  used: { provider: Provider; payer: string | null; key: string | null },
  ask: () => Promise<Item[]>,
): Promise<Heard<Item>> {
  try {
    const items = await ask()
    await noteKeyVerdict(services, used, 'works')
    return { items, problem: null }
  } catch (error) {
    if (error instanceof ModelFailure) {
      await noteKeyVerdict(services, used, error)
      return { items: null, problem: error.message, failure: { code: error.code, status: error.status } }
    }
    services.log.error({ err: error, provider: used.provider }, 'the list of a provider could not be read')
    return { items: null, problem: `The list of ${getProviderName(used.provider)} could not be read. Try again later.` }
  }
}

async function holdToFreshTries(services: Services, person: Person): Promise<void> {
  const { within, waitSeconds } = await countTry(services, freshTries, person.id)
  if (within) return
  throw new Problem('too-many', {
    message: 'The lists were refreshed often just now. They are kept for an hour; wait a minute to ask again.',
    retryAfterSeconds: waitSeconds,
  })
}
