import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { modelServices, type ServiceTrial } from '#contract/providers/model-services.ts'
import { call, getServerMessage } from '#web/api/api.ts'
import { providersKey } from '#web/queries/use-providers.ts'
import { keysKey } from '../key-queries.ts'
import type { ServiceTrialState } from './service-details.tsx'

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

export function useServiceTrial() {
  const trial = useMutation({ mutationFn: (id: string) => call(modelServices.tryOut, { params: { id } }) })
  return {
    tryService: trial.mutate,
    getServiceTrial(id: string): ServiceTrialState | undefined {
      if (trial.isIdle || trial.variables !== id) return
      return { result: trial.data ?? describeFailure(trial.error), retry: () => trial.mutate(id) }
    },
  }
}

function describeFailure(reason: Error | null): ServiceTrial | undefined {
  if (!reason) return
  const message = getServerMessage(reason) ?? reason.message
  return { works: false, message: `The service couldn’t be reached: ${message}` }
}
