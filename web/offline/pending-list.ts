import type { PendingWrite } from './pending-write.ts'

let present: readonly PendingWrite[] = []
const listeners = new Set<() => void>()

/** What waits of whoever is signed in, in the order in which it will be sent; the queue says it. */
export const pendingList = (): readonly PendingWrite[] => present

export function onPendingList(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export function showPending(writes: readonly PendingWrite[]): void {
  present = writes
  for (const changed of listeners) changed()
}
