import type { Provider } from '#contract/agents/model-settings.ts'
import { type KeyTrial, keys } from '#contract/keys/keys.ts'
import { providerCalls } from '#contract/providers/calls.ts'
import { modelServices, type ServiceTrial } from '#contract/providers/model-services.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import type { Person } from '#server/accounts/person.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { listModelServices } from './model-services/model-services.ts'
import { createModelService, removeModelService, updateModelService } from './model-services/save-model-service.ts'
import {
  computePlatformKeyStats,
  getCustomProviderHosts,
  listPersonalKeys,
  listPlatformKeys,
  listProvidersWithPlatformKey,
  platformOwner,
  removePersonalKey,
  removePlatformKey,
  savePersonalKey,
  savePlatformKey,
} from './provider-keys.ts'

/** A parameter, because an import would be a cycle: trying a service lists its models with code of the agents area. */
type TryModelService = (services: Services, person: Person, id: string) => Promise<ServiceTrial>

export function providerRoutes(services: Services, tryModelService: TryModelService): ServedCall[] {
  return [
    ...serveArea('providers', providerCalls, {
      list: () => services.modelServices.list().map(({ id, name }) => ({ id, name })),
    }),
    ...serveArea('modelServices', modelServices, {
      list: () => listModelServices(services),
      create: ({ person, body }) => createModelService(services, person, body),
      update: ({ person, params, body, ifMatch }) => updateModelService(services, person, params.id, body, ifMatch),
      remove: ({ person, params }) => removeModelService(services, person, params.id),
      tryOut: ({ person, params }) => tryModelService(services, person, params.id),
    }),
  ]
}

type TryKey = (services: Services, person: Person, saved: { owner: string; provider: Provider }) => Promise<KeyTrial>

export function keyRoutes(services: Services, tryKey: TryKey): ServedCall[] {
  return serveArea('keys', keys, {
    listPersonal: async ({ person }) =>
      new Reply(await listPersonalKeys(services, person), {
        extra: {
          platform: await listProvidersWithPlatformKey(services),
          local_hosts: getCustomProviderHosts(services),
        },
      }),
    savePersonal: ({ person, body }) => savePersonalKey(services, person, body),
    tryPersonal: ({ person, params }) => tryKey(services, person, { owner: person.id, provider: params.provider }),
    removePersonal: ({ person, params }) => removePersonalKey(services, person, params.provider),
    listPlatform: async () => {
      const platformKeys = await listPlatformKeys(services)
      return {
        keys: platformKeys,
        stats: computePlatformKeyStats(platformKeys),
        local_hosts: getCustomProviderHosts(services),
      }
    },
    savePlatform: async ({ person, body }) => {
      const message = `Platform key for ${getProviderName(body.provider)} saved.`
      return new Reply(await savePlatformKey(services, person, body), { extra: { message } })
    },
    tryPlatform: ({ person, params }) => tryKey(services, person, { owner: platformOwner, provider: params.provider }),
    removePlatform: async ({ person, params }) => {
      await removePlatformKey(services, person, params.provider)
      return new Reply({}, { extra: { message: `Platform key for ${getProviderName(params.provider)} deleted.` } })
    },
    platformStats: async () => computePlatformKeyStats(await listPlatformKeys(services)),
  })
}
