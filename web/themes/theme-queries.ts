import { useInfiniteQuery } from '@tanstack/react-query'
import { themes } from '#contract/themes/themes.ts'
import { callEnvelope } from '#web/api/api.ts'
import { dedupeById } from '#web/api/api-pages.ts'

export const themesKey = ['themes']

export function useThemes() {
  const query = useInfiniteQuery({
    queryKey: [...themesKey, 'list'],
    async queryFn({ pageParam, signal }) {
      const { data, next_cursor } = await callEnvelope(themes.list, { query: { cursor: pageParam }, signal })
      if (!data) throw new Error('The themes came without data')
      return { data, next_cursor }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  const items = query.data && dedupeById(query.data.pages.flatMap(({ data }) => data))
  return { ...query, items }
}

export const themeLibraryRoute = '/studio/themes'

export const getEditThemeRoute = (id: string) => `${themeLibraryRoute}?edit=${encodeURIComponent(id)}`

/** Starts a new theme from an existing one. */
export const getNewThemeRoute = (idOrSlug: string) => `${themeLibraryRoute}?from=${encodeURIComponent(idOrSlug)}`
