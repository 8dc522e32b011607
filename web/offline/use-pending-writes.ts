import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { getPendingWrites, onPendingWritesChange } from './pending-list.ts'
import type { PendingWrite } from './pending-write.ts'
import { loadCurrentQueue } from './signed-in-user.ts'

export type { PendingWrite } from './pending-write.ts'

const noWrites: readonly PendingWrite[] = []

export function usePendingWrites(keeperId?: string): readonly PendingWrite[] {
  const allWrites = useSyncExternalStore(onPendingWritesChange, getPendingWrites, () => noWrites)
  useEffect(() => {
    void loadCurrentQueue().then((queue) => queue?.load())
  }, [])
  return useMemo(
    () => (keeperId === undefined ? allWrites : allWrites.filter((write) => write.keeperId === keeperId)),
    [allWrites, keeperId],
  )
}
