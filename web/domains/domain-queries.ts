import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { ApiError, NetworkError } from '#web/api/api.ts'
import { readAllPages } from '#web/api/api-pages.ts'
import { domainsKey } from '#web/queries/use-my-domains.ts'

export const useLeadAgents = (ownerId: string) =>
  useQuery({
    queryKey: ['agents', 'of-domain', ownerId],
    queryFn: async ({ signal }) => {
      const list = await readAllPages<Agent>(agents.list, {}, signal)
      return list.filter(
        ({ agent_class, visibility, owner_id }) =>
          agent_class === 'Lead' && visibility === 'public' && (owner_id === ownerId || owner_id === null),
      )
    },
  })

/** Invalidates everything that shows domains or their members; resolves after the refetch. */
export function useInvalidateDomains(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    const staleKeys = [domainsKey, ['people'], ['shared'], ['session']]
    await Promise.all(staleKeys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
  }
}

/** The failed action, followed by the reason if it is known. */
export const formatDomainFailure = (failureText: string, reason: unknown): string =>
  [failureText, getDomainErrorDetail(reason)].filter(Boolean).join('. ')

export function getDomainErrorDetail(reason: unknown): string | undefined {
  if (reason instanceof ApiError) return reason.serverMessage
  if (reason instanceof NetworkError) return 'The server couldn’t be reached. Your text is still here.'
  return undefined
}
