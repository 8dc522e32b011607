import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { getPendingWrites, onPendingWritesChange } from './pending-list.ts'
import type { PendingWrite } from './pending-write.ts'
import { loadCurrentQueue } from './signed-in-user.ts'

export type { PendingWrite } from './pending-write.ts'

const none: readonly PendingWrite[] = []

export function usePendingWrites(keeperId?: string): readonly PendingWrite[] {
  const all = useSyncExternalStore(onPendingWritesChange, getPendingWrites, () => none)
  useEffect(() => {
    void loadCurrentQueue().then((queue) => queue?.load())
  }, [])
  return useMemo(
    () => (keeperId === undefined ? all : all.filter((write) => write.keeperId === keeperId)),
    [all, keeperId],
  )
}
