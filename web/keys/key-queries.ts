import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Provider } from '#contract/agents/model-settings.ts'
import { keys, type LocalHosts, type PersonalKey } from '#contract/keys/keys.ts'
import { modelServices } from '#contract/providers/model-services.ts'
import { ApiError, call, callEnvelope } from '#web/api/api.ts'
import { providersKey } from '#web/queries/use-providers.ts'

export const keysKey = ['keys'] as const

export interface PersonalKeyList {
  keys: PersonalKey[]
  platform: Provider[]
  localHosts: LocalHosts
}

async function loadPersonalKeys(signal: AbortSignal): Promise<PersonalKeyList> {
  const { data, platform, local_hosts } = await callEnvelope(keys.listPersonal, { signal })
  if (!Array.isArray(data)) throw new Error('The list of keys can’t be read')
  const providers = Array.isArray(platform) ? platform : []
  return {
    keys: data,
    platform: providers.filter((provider) => typeof provider === 'string'),
    localHosts: typeof local_hosts === 'object' && local_hosts !== null ? (local_hosts as LocalHosts) : {},
  }
}

export const usePersonalKeys = () =>
  useQuery({ queryKey: [...keysKey, 'personal'], queryFn: ({ signal }) => loadPersonalKeys(signal) })

export const usePlatformKeys = (enabled: boolean) =>
  useQuery({
    queryKey: [...keysKey, 'platform'],
    queryFn: ({ signal }) => call(keys.listPlatform, { signal }),
    enabled,
  })

export function getPlatformLoadErrorText(reason: Error): string {
  return `Failed to load platform API keys: ${describeLoadFailure(reason)}`
}

function describeLoadFailure(reason: Error): string {
  if (!(reason instanceof ApiError)) return reason.message
  if (reason.status === 401) return 'User not authenticated'
  return `Failed to load platform keys: ${reason.status} ${reason.statusText}`.trimEnd()
}

export const useModelServices = (enabled: boolean) =>
  useQuery({
    queryKey: [...keysKey, 'services'],
    queryFn: ({ signal }) => call(modelServices.list, { signal }),
    enabled,
  })

export function useInvalidateServices(): () => Promise<unknown> {
  const queryClient = useQueryClient()
  return () =>
    Promise.all(
      [keysKey, providersKey, ['provider-lists']].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey: [...queryKey] }),
      ),
    )
}
