import { useQuery } from '@tanstack/react-query'
import { personalToolServers } from '#contract/agents/personal-tool-servers.ts'
import { ApiError, call } from '#web/api/api.ts'
import { keysKey } from './key-queries.ts'

export const toolServersKey = [...keysKey, 'tool-servers'] as const

export const usePersonalToolServers = () =>
  useQuery({
    queryKey: toolServersKey,
    queryFn: async ({ signal }) => (await call(personalToolServers.list, { query: { limit: 100 }, signal })).items,
  })

/** Set when the server needs an OAuth client registered by hand. */
export function getClientRequest(reason: unknown): { redirectUrl: string } | undefined {
  if (!(reason instanceof ApiError)) return undefined
  const { needs_client: needsClient, redirect_url: redirectUrl } = (reason.data ?? {}) as Record<string, unknown>
  return needsClient === true && typeof redirectUrl === 'string' ? { redirectUrl } : undefined
}
