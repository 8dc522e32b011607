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

export type Reach = 'reached' | 'unreachable'

const longest = 50
let entries: readonly JournalEntry[] = []
let reach: Reach = 'reached'
const listeners = new Set<() => void>()

/** Newest first, for the system information dialog. */
export function lastCalls(): readonly JournalEntry[] {
  return entries
}

/** Whether the server answered the last call, with any status. */
export function lastReach(): Reach {
  return reach
}

export function onJournal(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export function noteCall(entry: JournalEntry): void {
  entries = [entry, ...entries].slice(0, longest)
  reach = entry.status === undefined ? 'unreachable' : 'reached'
  for (const changed of listeners) changed()
}
