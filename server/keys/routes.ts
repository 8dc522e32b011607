import { keys } from '#contract/keys/keys.ts'
import { providerCalls } from '#contract/providers/calls.ts'
import { getProviderName } from '#contract/providers/registry.ts'
import { Reply, type ServedCall, serveArea } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import {
  listPersonalKeys,
  listPlatformKeys,
  localHosts,
  platformKeyStats,
  providersWithPlatformKey,
  removePersonalKey,
  removePlatformKey,
  savePersonalKey,
  savePlatformKey,
} from './provider-keys.ts'

export function providerRoutes({ settings }: Services): ServedCall[] {
  return serveArea('providers', providerCalls, {
    list: () => settings.services.map(({ id, name }) => ({ id, name })),
  })
}

export function keyRoutes(services: Services): ServedCall[] {
  return serveArea('keys', keys, {
    listPersonal: async ({ person }) =>
      new Reply(await listPersonalKeys(services, person), {
        extra: { platform: await providersWithPlatformKey(services), local_hosts: localHosts(services) },
      }),
    savePersonal: ({ person, body }) => savePersonalKey(services, person, body),
    removePersonal: async ({ person, params }) => {
      await removePersonalKey(services, person, params.provider)
      return {}
    },
    listPlatform: async () => {
      const list = await listPlatformKeys(services)
      return { keys: list, stats: platformKeyStats(list), local_hosts: localHosts(services) }
    },
    savePlatform: async ({ person, body }) => {
      const message = `Platform key for ${getProviderName(body.provider)} saved.`
      return new Reply(await savePlatformKey(services, person, body), { extra: { message } })
    },
    removePlatform: async ({ person, params }) => {
      await removePlatformKey(services, person, params.provider)
      return new Reply({}, { extra: { message: `Platform key for ${getProviderName(params.provider)} deleted.` } })
    },
    platformStats: async () => platformKeyStats(await listPlatformKeys(services)),
  })
}
