import { useQuery } from '@tanstack/react-query'
import { providerCalls } from '#contract/providers/calls.ts'
import type { ProviderFacts } from '#contract/providers/provider-facts.ts'
import { listProviders, setConfiguredProviders } from '#contract/providers/registry.ts'
import { call } from '#web/api.ts'

/** The providers one can choose from: those that come with Keeper, and the services that are set up here. */
export function useProviders(): readonly ProviderFacts[] {
  useQuery({
    queryKey: ['providers'],
    queryFn: async ({ signal }) => {
      const services = await call(providerCalls.list, { signal })
      setConfiguredProviders(Array.isArray(services) ? services : [])
      return services
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return listProviders()
}
