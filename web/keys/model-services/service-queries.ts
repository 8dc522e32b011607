import { useQuery, useQueryClient } from '@tanstack/react-query'
import { modelServices } from '#contract/providers/model-services.ts'
import { call } from '#web/api/api.ts'
import { providersKey } from '#web/queries/use-providers.ts'
import { keysKey } from '../key-queries.ts'
import { useTrial } from '../key-trial-note.tsx'

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

export const useServiceTrial = () =>
  useTrial<string>(
    async (id) => {
      const { works, message } = await call(modelServices.tryOut, { params: { id } })
      return { outcome: works ? 'accepted' : 'unreachable', message }
    },
    { outcome: 'unreachable', text: 'The service couldn’t be reached' },
  )
