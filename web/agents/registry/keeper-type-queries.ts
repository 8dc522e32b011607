import { queryOptions } from '@tanstack/react-query'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import { ApiError, call } from '#web/api/api.ts'
import { keeperTypesKey } from '#web/queries/keeper-types-query.ts'

export const keeperTypesOfAgentQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keeperTypesKey, 'agent', agentId],
    queryFn: ({ signal }) => call(keeperTypes.ofAgent, { params: { agentId }, signal }),
  })

export function getErrorText(reason: unknown, fallbackText: string): string {
  return reason instanceof ApiError ? reason.message : fallbackText
}
