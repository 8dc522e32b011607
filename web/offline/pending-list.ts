import type { PendingWrite } from './pending-write.ts'

let currentWrites: readonly PendingWrite[] = []
const listeners = new Set<() => void>()

/** The signed-in user's pending writes in sending order, set by the queue. */
export const getPendingWrites = (): readonly PendingWrite[] => currentWrites

export function onPendingWritesChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const discardedIds = new Set<string>()

/** Whether pending writes of this entity were discarded in this tab, with none queued since. */
export const wasDiscarded = (entityId: string): boolean => discardedIds.has(entityId)

export function recordDiscard(entityId: string): void {
  discardedIds.add(entityId)
}

export function setPendingWrites(writes: readonly PendingWrite[]): void {
  currentWrites = writes
  for (const { thing: entityId } of writes) if (entityId !== undefined) discardedIds.delete(entityId)
  for (const listener of listeners) listener()
}
