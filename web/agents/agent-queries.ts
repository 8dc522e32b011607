import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { runs } from '#contract/agents/runs.ts'
import { sampleAgents } from '#contract/samples/sample-agents.ts'
import { type CallInput, call, NetworkError, UnreadableResponse } from '#web/api/api.ts'
import { dedupeById, readPages } from '#web/api/api-pages.ts'

/** `samples`: the server can't be reached; `unreadable`: its answer isn't a list. */
export type AgentList = { source: 'server' | 'samples' | 'unreadable'; agents: Agent[] }

export const agentsKey = ['agents'] as const
export const logsKey = ['agents', 'logs'] as const
export const runKey = (runId: string) => ['runs', runId] as const

/** Samples never replace the server's agents in `cachedList`, one of which may be open in a form. */
export async function loadAgents(signal: AbortSignal, cachedList?: AgentList): Promise<AgentList> {
  try {
    const pages = await readPages<Agent[]>(agents.list, {}, signal)
    if (!pages.every(Array.isArray)) return { source: 'unreadable', agents: [] }
    return { source: 'server', agents: dedupeById(pages.flat()) }
  } catch (reason) {
    if (reason instanceof UnreadableResponse) return { source: 'unreadable', agents: [] }
    if (reason instanceof NetworkError && cachedList?.source !== 'server')
      return { source: 'samples', agents: sampleAgents }
    throw reason
  }
}

const agentListQuery = queryOptions({
  queryKey: [...agentsKey, 'list'],
  queryFn: ({ signal, client, queryKey }) => loadAgents(signal, client.getQueryData<AgentList>(queryKey)),
  // Runs offline too, to show samples, and polls until the server is back.
  networkMode: 'always',
  refetchInterval: ({ state }) =>
    state.data?.source === 'samples' || state.error instanceof NetworkError ? 10_000 : false,
})

export const useAgentList = () => useQuery(agentListQuery)

export function useLogs(query: NonNullable<CallInput<typeof agents.logs>['query']>) {
  return useQuery({
    queryKey: [...logsKey, query],
    queryFn: ({ signal }) => call(agents.logs, { query, signal }),
    placeholderData: (previousData) => previousData,
    refetchInterval: ({ state }) => (state.data?.logs.some((log) => log.status === 'running') ? 3000 : false),
  })
}

/** When the signed-in person last ran each agent, by its id. */
export function useLastRuns(enabled: boolean): ReadonlyMap<string, string> | undefined {
  const { data } = useQuery({
    queryKey: [...logsKey, 'last'],
    queryFn: ({ signal }) => call(agents.lastRuns, { signal }),
    enabled,
  })
  return useMemo(() => data && new Map(data.map(({ agent_id, last_run_at }) => [agent_id, last_run_at])), [data])
}

export function useRunDetail(runId: string | undefined) {
  return useQuery({
    queryKey: runKey(runId ?? ''),
    queryFn: ({ signal }) => call(runs.show, { params: { runId: runId ?? '' }, signal }),
    enabled: runId !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 2000 : false),
  })
}

export function useAgentStats(agentId: string) {
  return useQuery({
    queryKey: [...agentsKey, 'stats', agentId],
    queryFn: ({ signal }) => call(agents.stats, { query: { agentId }, signal }),
  })
}
