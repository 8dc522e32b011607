export type JournalTab = 'write' | 'all' | 'suggested'

export const getReadingPath = (id: string) => `?tab=all&reflection=${encodeURIComponent(id)}`
export const getEditingPath = (id: string) => `?tab=write&reflection=${encodeURIComponent(id)}`
export const getTabPath = (tab: JournalTab) => `?tab=${tab}`

/** A link with only `reflection`, as on other pages, opens it for reading. */
export function getJournalTab(query: URLSearchParams): JournalTab {
  const tab = query.get('tab')
  if (tab === 'write' || tab === 'all' || tab === 'suggested') return tab
  return query.has('reflection') ? 'all' : 'write'
}
