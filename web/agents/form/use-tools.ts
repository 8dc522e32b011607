import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ToolDescription, tools } from '#contract/agents/tools.ts'
import { call } from '#web/api.ts'

/** Every tool an agent may name; what the operator's servers offer may change while the page is open. */
export function useTools() {
  return useQuery({
    queryKey: ['tools'],
    queryFn: ({ signal }) => call(tools.list, { signal }),
    staleTime: 60_000,
  })
}

/** The names a tool list is held against; `undefined` while not all of them are known, then only the server judges. */
export function useKnownToolNames(): readonly string[] | undefined {
  const { data } = useTools()
  // The same list each time: the form is checked again whenever it is another one.
  return useMemo(() => (data?.unreachable.length === 0 ? data.tools.map(({ name }) => name) : undefined), [data])
}

/** Those that come with Keeper first, then server by server. */
export function toolsBySource(list: readonly ToolDescription[]): [source: string, tools: ToolDescription[]][] {
  const rank = (source: string) => (source === 'keeper' ? 0 : 1)
  return [...Map.groupBy(list, (tool) => tool.source)].toSorted(([a], [b]) => rank(a) - rank(b) || a.localeCompare(b))
}
