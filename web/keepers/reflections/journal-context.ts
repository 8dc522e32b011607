import { createContext, use } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Reflection } from '#contract/keepers/reflections.ts'
import type { ReflectionDraft } from './journal-queries.ts'

type JournalKeeper = Pick<Keeper, 'id' | 'title'>

const JournalContext = createContext<JournalKeeper | null>(null)
export const JournalProvider = JournalContext.Provider

/** The keeper of the journal. */
export function useJournal(): JournalKeeper {
  const keeper = use(JournalContext)
  if (!keeper) throw new Error('useJournal outside of a journal')
  return keeper
}

export const blankReflectionDraft: ReflectionDraft = { topic: '', content: '', aiVisible: true }

export const toReflectionDraft = ({ topic, content, aiVisible }: Reflection): ReflectionDraft => ({
  topic: topic ?? '',
  content,
  aiVisible,
})

export const requireContent = ({ content }: ReflectionDraft): Record<string, string> =>
  content.trim() === '' ? { content: 'Saves once you write something' } : {}

export const getReflectionDraftKey = (id: string) => `reflection/${id}`

export type JournalTab = 'write' | 'all' | 'suggested'

export const getReadingPath = (id: string) => `?tab=all&reflection=${encodeURIComponent(id)}`
export const getEditingPath = (id: string) => `?tab=write&reflection=${encodeURIComponent(id)}`
export const getTabPath = (tab: JournalTab) => `?tab=${tab}`

/** Links on other pages contain only `reflection`, which opens it for reading. */
export function getJournalTab(query: URLSearchParams): JournalTab {
  const tab = query.get('tab')
  if (tab === 'write' || tab === 'all' || tab === 'suggested') return tab
  return query.has('reflection') ? 'all' : 'write'
}
