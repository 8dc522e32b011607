import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { onPendingList, pendingList } from './pending-list.ts'
import type { PendingWrite } from './pending-write.ts'
import { ownQueueLater } from './whose-browser.ts'

export type { PendingWrite } from './pending-write.ts'

const none: readonly PendingWrite[] = []

export function usePendingWrites(keeperId?: string): readonly PendingWrite[] {
  const all = useSyncExternalStore(onPendingList, pendingList, () => none)
  useEffect(() => {
    void ownQueueLater().then((queue) => queue?.load())
  }, [])
  return useMemo(
    () => (keeperId === undefined ? all : all.filter((write) => write.keeperId === keeperId)),
    [all, keeperId],
  )
}
