import { rememberListedModels } from './catalog/listed-models.ts'
import { fetchList, type ListRequest } from './fetch-list.ts'
import { ModelFailure } from './model-failure.ts'
import type { ModelRuntime } from './model-request.ts'
import { getBaseUrl, hasDefaultHost } from './provider-address.ts'
import type { ListedModel } from './providers/provider.ts'
import { getProvider } from './providers/registry.ts'
import { createFailure, toFailureContext } from './translate-failure.ts'

const maxNameLength = 200

/** Also remembers the details of each model, such as its price, for later runs. @throws ModelFailure, also for an empty list */
export async function listModels(runtime: ModelRuntime, request: ListRequest): Promise<ListedModel[]> {
  const provider = getProvider(request.provider)
  const context = toFailureContext(provider)
  const choice = { hasDefaultHost: hasDefaultHost(provider, request.credential) }
  const entries = await fetchList(runtime, request, provider.modelsPath).catch((error: unknown) => {
    if (!(error instanceof ModelFailure) || error.code !== 'provider-not-found') throw error
    throw createFailure(context, error.code, {
      status: error.status,
      message: `${provider.name} has no model list at this address. Check its base address, which usually ends in /v1. If chats work, type the model name.`,
    })
  })
  const models = entries.flatMap((entry) => {
    const model = provider.readModel(entry, choice)
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
