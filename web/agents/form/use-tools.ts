import { useQuery } from '@tanstack/react-query'
import { type ToolDescription, tools } from '#contract/agents/tools.ts'
import { call } from '#web/api/api.ts'

export const toolsKey = ['tools'] as const

/** Refetched, since tool servers can change their tools. */
export function useTools() {
  return useQuery({
    queryKey: toolsKey,
    queryFn: ({ signal }) => call(tools.list, { signal }),
    staleTime: 60_000,
  })
}

export function groupToolsBySource(list: readonly ToolDescription[]): [source: string, tools: ToolDescription[]][] {
  const getRank = (source: string) => (source === 'keeper' ? 0 : 1)
  return [...Map.groupBy(list, (tool) => tool.source)].toSorted(
    ([a], [b]) => getRank(a) - getRank(b) || a.localeCompare(b),
  )
}
