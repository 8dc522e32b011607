import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { callEnvelope } from '#web/api/api.ts'

export const themesKey = ['themes']

export function useThemes() {
  const [pages, setPages] = useState(1)
  const query = useQuery({
    queryKey: [...themesKey, 'list', pages],
    queryFn: ({ signal }) => fetchThemePages(pages, signal),
    placeholderData: keepPreviousData,
  })
  const { items, next_cursor } = query.data ?? {}
  return { ...query, items, hasMore: Boolean(next_cursor), showMore: () => setPages(pages + 1) }
}

async function fetchThemePages(pages: number, signal: AbortSignal) {
  const items = new Map<string, Theme>()
  let cursor: string | undefined
  for (let page = 1; page <= pages; page++) {
    const { data, next_cursor } = await callEnvelope(themes.list, { query: { cursor }, signal })
    if (!data) throw new Error('The themes came without data')
    // A theme changed between two page requests can be on both pages.
    for (const theme of data) items.set(theme.id, theme)
    cursor = next_cursor ?? undefined
    if (!cursor) break
  }
  return { items: [...items.values()], next_cursor: cursor }
}

export const themeLibraryRoute = '/studio/themes'

export const getEditThemeRoute = (id: string) => `${themeLibraryRoute}?edit=${encodeURIComponent(id)}`

export const getThemeFromRoute = (idOrSlug: string) => `${themeLibraryRoute}?from=${encodeURIComponent(idOrSlug)}`
