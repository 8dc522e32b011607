import { useInfiniteQuery } from '@tanstack/react-query'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { callEnvelope } from '#web/api.ts'

export const themesKey = ['themes']

/** Keeper’s own, one’s own, then what others made public, page after page. */
export function useThemes() {
  const found = useInfiniteQuery({
    queryKey: themesKey,
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const { data, next_cursor } = await callEnvelope(themes.list, { query: { cursor: pageParam }, signal })
      if (!data) throw new Error('The themes came without data')
      return { items: data, next_cursor }
    },
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })
  const items = found.data?.pages.flatMap((page) => page.items)
  return { ...found, items: items && unique(items) }
}

/** Pages that were asked for at different times may both hold one that was changed meanwhile. */
function unique(items: Theme[]): Theme[] {
  const seen = new Set<string>()
  return items.filter(({ id }) => !seen.has(id) && seen.add(id))
}
