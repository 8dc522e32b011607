import type { Provider } from '#contract/agents/model-settings.ts'
import { getProviderSettings } from '#server/keys/provider-settings.ts'
import { chooseRecommended, type ListedState } from '#server/models/catalog/model-lifecycle.ts'
import { isOwnAddress } from '#server/models/provider-address.ts'
import type { ListedModel } from '#server/models/providers/provider.ts'
import { getProvider } from '#server/models/providers/registry.ts'
import type { Services } from '#server/services.ts'

/**
 * The model a new agent of this provider begins with: the first the catalog recommends that the provider offered when it was
 * last asked. Nothing is asked for it.
 */
export function getDefaultModel(services: Services, provider: Provider): { model?: string } {
  const { baseUrl } = getProviderSettings(services, provider)
  const models = services.lists.getLatest<ListedModel>({ kind: 'models', provider, baseUrl })
  const model = chooseRecommended(provider, toListedState(services, provider, models), purposeFor(provider))
  return model === null ? {} : { model }
}

export function purposeFor(provider: Provider): 'chat' | 'speech' {
  return provider === 'elevenlabs' ? 'speech' : 'chat'
}

/** `models` is undefined where the provider has not listed any. */
export function toListedState(
  services: Pick<Services, 'settings' | 'modelServices'>,
  provider: Provider,
  models: ListedState['models'],
): ListedState {
  return {
    models: models?.filter(isForChat),
    isOwnAddress: isOwnAddress(getProvider(provider), getProviderSettings(services, provider)),
  }
}

export function isForChat(model: ListedModel): boolean {
  return model.isForChat !== false
}
