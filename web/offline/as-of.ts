let oldest: string | null = null
const listeners = new Set<() => void>()

/** Since when what is shown may have changed: of the oldest kept answer since the server was heard last; `null`: all is fresh. */
export const asOf = (): string | null => oldest

export function onAsOf(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

/** Something kept was shown in place of an answer. */
export function noteKeptRead(at: string): void {
  if (oldest !== null && oldest <= at) return
  oldest = at
  for (const changed of listeners) changed()
}

/** Everything on the page is asked for anew. */
export function noteFreshReads(): void {
  if (oldest === null) return
  oldest = null
  for (const changed of listeners) changed()
}
