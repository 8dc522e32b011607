import type { Provider } from '#contract/agents/model-settings.ts'
import { truncate } from '#contract/truncate.ts'
import { getLimits, getListMs } from '../settings/model-limits.ts'
import { rememberListedModels } from './catalog/listed-models.ts'
import { callProvider, Exchange } from './http-exchange.ts'
import { asList, asObject } from './json-values.ts'
import { ModelFailure } from './model-failure.ts'
import type { Credential, ModelRuntime } from './model-request.ts'
import { getBaseUrl, hasDefaultHost, toCallUrl } from './provider-address.ts'
import type { ListedModel } from './providers/provider.ts'
import { getProvider } from './providers/registry.ts'
import { readJsonBody } from './read-answer.ts'
import { createFailure, requireSendableKey, toFailureContext } from './translate-failure.ts'

const maxEntries = 2000
const maxPages = 20
const maxNameLength = 200

export interface ListRequest {
  provider: Provider
  credential: Credential
  signal: AbortSignal
}

/** Also remembers the details of each model, such as its price, for later runs. @throws ModelFailure, also for an empty list */
export async function listModels(runtime: ModelRuntime, request: ListRequest): Promise<ListedModel[]> {
  const provider = getProvider(request.provider)
  const context = toFailureContext(provider)
  const addressInfo = { hasDefaultHost: hasDefaultHost(provider, request.credential) }
  const entries = await fetchList(runtime, request, provider.modelsPath).catch((error: unknown) => {
    if (!(error instanceof ModelFailure) || error.code !== 'provider-not-found') throw error
    throw createFailure(context, error.code, {
      status: error.status,
      message: `${provider.name} has no model list at this address. Check its base address, which usually ends in /v1. If chats work, type the model name.`,
    })
  })
  const models = entries.flatMap((entry) => {
    const model = provider.readModel(entry, addressInfo)
    return model && model.id.trim() !== '' && model.id.length <= maxNameLength ? [model] : []
  })
  if (models.length === 0)
    throw createFailure(context, 'provider-protocol', {
      message:
        entries.length === 0
          ? `${provider.name} lists no models for this key.`
          : `${provider.name} sent a list without any model that Keeper can use.`,
    })
  rememberListedModels(provider.id, getBaseUrl(provider, request.credential), models)
  return models
}

export interface Voice {
  id: string
  name: string
}

export async function listVoices(runtime: ModelRuntime, request: Omit<ListRequest, 'provider'>): Promise<Voice[]> {
  const entries = await fetchList(runtime, { ...request, provider: 'elevenlabs' }, '/voices')
  return entries.flatMap(({ voice_id, name }) =>
    typeof voice_id === 'string' && voice_id.length <= maxNameLength
      ? [{ id: voice_id, name: typeof name === 'string' ? truncate(name, maxNameLength) : voice_id }]
      : [],
  )
}

/** Reads up to 2,000 entries over at most 20 pages, in one attempt. @throws ModelFailure, also if the answer has no list */
async function fetchList(
  runtime: ModelRuntime,
  { provider: id, credential, signal }: ListRequest,
  path: string,
): Promise<Record<string, unknown>[]> {
  const provider = getProvider(id)
  const context = toFailureContext(provider, credential)
  requireSendableKey(context, credential.key)
  const listMs = getListMs(runtime, credential)
  const limits = { ...getLimits(runtime, credential, { isWhole: true }), firstByteMs: listMs, noProgressMs: listMs }
  const startedAt = performance.now()
  const entries: Record<string, unknown>[] = []
  const visitedQueries = new Set<string>()
  let query: string | undefined
  do {
    const pagePath = query === undefined ? path : path.split('?')[0] + query
    const exchange = new Exchange(context, limits, { noProgressMs: listMs - (performance.now() - startedAt), signal })
    try {
      const response = await callProvider(runtime, exchange, {
        url: toCallUrl(provider, credential, pagePath),
        headers: { accept: 'application/json', ...provider.getHeaders(credential.key), ...credential.headers },
      })
      const value = await readJsonBody(response, exchange)
      const body = asObject(value)
      const list = Array.isArray(value) ? value : (body.data ?? body.voices ?? body.models)
      if (!Array.isArray(list))
        throw createFailure(context, 'provider-protocol', {
          message: `${provider.name} answered without a list. Check the address: it ends with the version path, such as /v1.`,
        })
      entries.push(...asList(list))
      query = provider.getNextPage?.(body)
    } finally {
      exchange.close()
    }
    // A repeated page would loop forever.
    if (query !== undefined && visitedQueries.has(query)) break
    if (query !== undefined) visitedQueries.add(query)
  } while (query !== undefined && visitedQueries.size < maxPages && entries.length < maxEntries)
  return entries.slice(0, maxEntries)
}
