import { useEffect, useMemo, useSyncExternalStore } from 'react'
import type { PendingWrite } from './pending-write.ts'
import { ownQueue } from './write-queue.ts'

export type { PendingWrite } from './pending-write.ts'

const none: readonly PendingWrite[] = []

/** What waits in this browser, in the order in which it will be sent; of one keeper, or of all. The bodies are as they will be sent. */
export function usePendingWrites(keeperId?: string): readonly PendingWrite[] {
  const queue = ownQueue()
  useEffect(() => void queue?.load(), [queue])
  const all = useSyncExternalStore(queue?.listen ?? notListening, queue?.pending ?? nothingPending, nothingPending)
  return useMemo(
    () => (keeperId === undefined ? all : all.filter((write) => write.keeperId === keeperId)),
    [all, keeperId],
  )
}

const notListening = () => () => undefined
const nothingPending = () => none
