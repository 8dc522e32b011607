import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ToolDescription, tools } from '#contract/agents/tools.ts'
import { ApiError, call } from '#web/api.ts'

export const toolsKey = ['tools'] as const

/** Every tool an agent may name; what the operator's servers offer may change while the page is open. */
export function useTools() {
  return useQuery({
    queryKey: toolsKey,
    queryFn: ({ signal }) => call(tools.list, { signal }),
    staleTime: 60_000,
  })
}

/** Asks the tool servers again for their tools. */
export function useToolRefresh() {
  const queries = useQueryClient()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(tools.list, { query: { fresh: 'true' } }),
    onSuccess: (fresh) => queries.setQueryData(toolsKey, fresh),
  })
  const problem = error
    ? (error instanceof ApiError && error.told) || 'The tools could not be asked for. Check the connection.'
    : undefined
  return { refresh: () => mutate(), isRefreshing: isPending, problem }
}

/** The names a tool list is held against; `undefined` while not all of them are known, then only the server judges. */
export function useKnownToolNames(): readonly string[] | undefined {
  const { data } = useTools()
  // The same list each time: the form is checked again whenever it is another one.
  return useMemo(() => {
    const areAllKnown = data?.unreachable.every(({ tool }) => tool !== null) ?? false
    return areAllKnown ? data?.tools.map(({ name }) => name) : undefined
  }, [data])
}

/** Those that come with Keeper first, then server by server. */
export function toolsBySource(list: readonly ToolDescription[]): [source: string, tools: ToolDescription[]][] {
  const rank = (source: string) => (source === 'keeper' ? 0 : 1)
  return [...Map.groupBy(list, (tool) => tool.source)].toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
}
