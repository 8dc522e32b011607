import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { getCurrentStore } from './local-store.ts'
import type { PendingWrite } from './pending-write.ts'
import { isUnsent } from './unsent-work.ts'
import { type DraftRecord, listDrafts } from './use-draft.ts'
import { getPageQueue } from './write-queue.ts'

export type { PendingWrite } from './pending-write.ts'

const noWrites: readonly PendingWrite[] = []
const getNoWrites = () => noWrites
const subscribeToNothing = () => () => undefined

/** The signed-in user's pending writes in sending order. */
export function usePendingWrites(keeperId?: string): readonly PendingWrite[] {
  const queue = getPageQueue()
  const allWrites = useSyncExternalStore(
    queue?.subscribe ?? subscribeToNothing,
    queue?.getWrites ?? getNoWrites,
    getNoWrites,
  )
  useEffect(() => void queue?.load(), [queue])
  return useMemo(
    () => (keeperId === undefined ? allWrites : allWrites.filter((write) => write.keeperId === keeperId)),
    [allWrites, keeperId],
  )
}

export function useWriteStatus(keeperId: string, entityId: string): 'queued' | 'sent' | 'discarded' {
  const isWaiting = usePendingWrites(keeperId).some((write) => write.thing === entityId)
  const [hasWaited, setHasWaited] = useState(false)
  if (isWaiting && !hasWaited) setHasWaited(true)
  if (!hasWaited || isWaiting) return 'queued'
  return getPageQueue()?.wasDiscarded(entityId) ? 'discarded' : 'sent'
}

interface UnsentDrafts {
  newest: DraftRecord[]
  older: DraftRecord[]
}

const noDrafts: UnsentDrafts = { newest: [], older: [] }

export function useUnsentWork() {
  const writes = usePendingWrites()
  const [drafts, setDrafts] = useState(noDrafts)
  const refresh = useCallback(async () => {
    const store = getCurrentStore()
    const { newest, older } = store ? await listDrafts(store) : noDrafts
    setDrafts({ newest: newest.filter(isUnsent), older: older.filter(isUnsent) })
  }, [])
  useEffect(() => void refresh(), [refresh])
  return { writes, drafts, refresh }
}
