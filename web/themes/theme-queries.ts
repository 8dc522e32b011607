import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { callEnvelope } from '#web/api.ts'

export const themesKey = ['themes']

/** Keeper’s own, one’s own, then what others made public: as many pages of those as were asked for. */
export function useThemes() {
  const [pages, setPages] = useState(1)
  const found = useQuery({
    queryKey: [...themesKey, 'list', pages],
    queryFn: ({ signal }) => pagesOf(pages, signal),
    placeholderData: keepPreviousData,
  })
  const { items, next_cursor } = found.data ?? {}
  return { ...found, items, hasMore: Boolean(next_cursor), showMore: () => setPages(pages + 1) }
}

async function pagesOf(pages: number, signal: AbortSignal) {
  const items = new Map<string, Theme>()
  let cursor: string | undefined
  for (let page = 1; page <= pages; page++) {
    const { data, next_cursor } = await callEnvelope(themes.list, { query: { cursor }, signal })
    if (!data) throw new Error('The themes came without data')
    // One that was changed between two pages is in both.
    for (const theme of data) items.set(theme.id, theme)
    cursor = next_cursor ?? undefined
    if (!cursor) break
  }
  return { items: [...items.values()], next_cursor: cursor }
}
