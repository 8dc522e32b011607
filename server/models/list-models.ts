import { rememberListedModels } from './catalog/listed-models.ts'
import { fetchList, type ListRequest } from './fetch-list.ts'
import { ModelFailure } from './model-failure.ts'
import type { ModelRuntime } from './model-request.ts'
import { getBaseUrl, isOwnAddress } from './provider-address.ts'
import type { ListedModel } from './providers/provider.ts'
import { getProvider } from './providers/registry.ts'
import { createFailure, toFailureContext } from './translate-failure.ts'

const maxNameLength = 200

/**
 * The models this key may chat with (for ElevenLabs: speak with), in the provider's order, with what the provider says of
 * each. Windows and refused fields count in runs from now on.
 *
 * @throws ModelFailure, after at most 5 seconds; also where the list names no model.
 */
export async function listModels(runtime: ModelRuntime, request: ListRequest): Promise<ListedModel[]> {
  const provider = getProvider(request.provider)
  const context = toFailureContext(provider)
  const choice = { isOwnAddress: isOwnAddress(provider, request.credential) }
  const entries = await fetchList(runtime, request, provider.modelsPath).catch((error: unknown) => {
    if (!(error instanceof ModelFailure) || error.code !== 'provider-not-found') throw error
    throw createFailure(context, error.code, {
      status: error.status,
      message: `${provider.name} has no list of models at this address. Check its base address, which usually ends in /v1; if chats work, type the name of the model.`,
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
          : `${provider.name} sent a list in which no model that can be used here was found.`,
    })
  rememberListedModels(provider.id, getBaseUrl(provider, request.credential), models)
  return models
}
