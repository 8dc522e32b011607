import { useQuery } from '@tanstack/react-query'
import { providerCalls } from '#contract/providers/calls.ts'
import { listProviders, type ProviderInfo, setConfiguredProviders } from '#contract/providers/registry.ts'
import { call } from '#web/api/api.ts'

export const providersKey = ['providers'] as const
/** Administrators can change services while pages are open. */
const staleMs = 60_000

export function useProviders(): readonly ProviderInfo[] {
  useQuery({
    queryKey: providersKey,
    queryFn: async ({ signal }) => {
      const services = await call(providerCalls.list, { signal })
      setConfiguredProviders(Array.isArray(services) ? services : [])
      return services
    },
    staleTime: staleMs,
    retry: false,
  })
  return listProviders()
}
