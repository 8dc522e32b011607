import { Listeners } from '#contract/listeners.ts'

export interface JournalEntry {
  at: number
  method: string
  /** Without the query: search terms don't belong in a report. */
  path: string
  /** Undefined without an answer. */
  status: number | undefined
  milliseconds: number
  requestId?: string
}

export type Reachability = 'reached' | 'unreachable'

const maxJournalEntries = 50
let entries: readonly JournalEntry[] = []
let reachability: Reachability = 'reached'
const journalListeners = new Listeners()

export function getRecentCalls(): readonly JournalEntry[] {
  return entries
}

/** Whether the server answered the last call, with any status. */
export function getReachability(): Reachability {
  return reachability
}

export const onJournalChange = journalListeners.add

export function recordCall(entry: JournalEntry): void {
  entries = [entry, ...entries].slice(0, maxJournalEntries)
  reachability = entry.status === undefined ? 'unreachable' : 'reached'
  journalListeners.notify()
}
