export type JournalTab = 'write' | 'all' | 'suggested'

/** Addresses within the journal that is open. */
export const readingAddress = (id: string) => `?tab=all&reflection=${encodeURIComponent(id)}`
export const editingAddress = (id: string) => `?tab=write&reflection=${encodeURIComponent(id)}`
export const tabAddress = (tab: JournalTab) => `?tab=${tab}`

/** A link that names a reflection only, as other pages make it, is there to be read. */
export function tabOf(query: URLSearchParams): JournalTab {
  const tab = query.get('tab')
  if (tab === 'write' || tab === 'all' || tab === 'suggested') return tab
  return query.has('reflection') ? 'all' : 'write'
}
