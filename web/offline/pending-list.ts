import type { PendingWrite } from './pending-write.ts'

let present: readonly PendingWrite[] = []
const listeners = new Set<() => void>()

/** The signed-in user's pending writes in sending order, set by the queue. */
export const pendingList = (): readonly PendingWrite[] => present

export function onPendingList(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

const thrown = new Set<string>()

/** Whether pending writes of this entity were discarded in this tab, with none queued since. */
export const wasThrownAway = (thing: string): boolean => thrown.has(thing)

export function noteThrownAway(thing: string): void {
  thrown.add(thing)
}

export function showPending(writes: readonly PendingWrite[]): void {
  present = writes
  for (const { thing } of writes) if (thing !== undefined) thrown.delete(thing)
  for (const changed of listeners) changed()
}
