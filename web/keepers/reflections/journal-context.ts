import { createContext, use } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { JournalBackend } from './journal-backend.ts'

export interface Journal {
  keeper: Pick<Keeper, 'id' | 'title'>
  /** Nothing is sent to the server. */
  demo: boolean
  backend: JournalBackend
}

const JournalContext = createContext<Journal | null>(null)
export const JournalProvider = JournalContext.Provider

export function useJournal(): Journal {
  const journal = use(JournalContext)
  if (!journal) throw new Error('useJournal outside of a journal')
  return journal
}
