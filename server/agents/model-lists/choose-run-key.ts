import { setTimeout as sleep } from 'node:timers/promises'
import type { Provider } from '#contract/agents/model-settings.ts'
import { builtInProviders } from '#contract/providers/registry.ts'
import { type ChosenKey, chooseKey, type Spender } from '#server/keys/choose-key.ts'
import { getListedModel } from '#server/models/catalog/listed-models.ts'
import { getBaseUrl } from '#server/models/provider-address.ts'
import { getProvider } from '#server/models/providers/registry.ts'
import type { Services } from '#server/services.ts'
import { fetchModelList } from './provider-lists.ts'

const maxWaitMs = 2000

/** Chooses a run's key. Custom services aren't in the catalog, so their list must be fetched first: budgets need its prices. */
export async function chooseRunKey(
  services: Services,
  spender: Spender,
  { provider, model }: { provider: Provider; model: string },
): Promise<ChosenKey> {
  const key = await chooseKey(services, spender, provider)
  const isBuiltIn = builtInProviders.some(({ id }) => id === provider)
  if (isBuiltIn || key.source === 'mock' || getListedModel(getBaseUrl(getProvider(provider), key), model)) return key
  const sleepController = new AbortController()
  await Promise.race([
    fetchModelList(services, key, { provider, fresh: false }),
    sleep(maxWaitMs, undefined, { ref: false, signal: sleepController.signal }).catch(() => {}),
  ])
  sleepController.abort()
  return key
}
