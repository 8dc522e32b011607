import type { Provider } from '#contract/agents/model-settings.ts'
import { getProviderSettings } from '#server/keys/provider-keys.ts'
import { chooseRecommended, type ModelListing } from '#server/models/catalog/model-lifecycle.ts'
import { hasDefaultHost } from '#server/models/provider-address.ts'
import type { ListedModel } from '#server/models/providers/provider.ts'
import { getProvider } from '#server/models/providers/registry.ts'
import type { Services } from '#server/services.ts'

export function getDefaultModel(services: Services, provider: Provider): { model?: string } {
  const { baseUrl } = getProviderSettings(services, provider)
  const models = services.modelLists.getLatest<ListedModel>({ kind: 'models', provider, baseUrl })
  const model = chooseRecommended(provider, toModelListing(services, provider, models), getModelPurpose(provider))
  return model === null ? {} : { model }
}

export function getModelPurpose(provider: Provider): 'chat' | 'speech' {
  return provider === 'elevenlabs' ? 'speech' : 'chat'
}

export function toModelListing(
  services: Pick<Services, 'settings' | 'modelServices'>,
  provider: Provider,
  models: ModelListing['models'],
): ModelListing {
  return {
    models: models?.filter(isChatModel),
    hasDefaultHost: hasDefaultHost(getProvider(provider), getProviderSettings(services, provider)),
  }
}

export function isChatModel(model: ListedModel): boolean {
  return model.isForChat !== false
}
