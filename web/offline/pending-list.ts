import type { PendingWrite } from './pending-write.ts'

let present: readonly PendingWrite[] = []
const listeners = new Set<() => void>()

/** What waits of whoever is signed in, in the order in which it will be sent; the queue says it. */
export const pendingList = (): readonly PendingWrite[] => present

export function onPendingList(changed: () => void): () => void {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

const thrown = new Set<string>()

/** Whether somebody threw what waited of this thing away in this tab, and nothing of it waited since; `thing`: its id. */
export const wasThrownAway = (thing: string): boolean => thrown.has(thing)

export function noteThrownAway(thing: string): void {
  thrown.add(thing)
}

export function showPending(writes: readonly PendingWrite[]): void {
  present = writes
  for (const { thing } of writes) if (thing !== undefined) thrown.delete(thing)
  for (const changed of listeners) changed()
}
