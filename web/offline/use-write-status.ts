import { useState } from 'react'
import { wasDiscarded } from './pending-list.ts'
import { usePendingWrites } from './use-pending-writes.ts'

export function useWriteStatus(keeperId: string, entityId: string): 'queued' | 'sent' | 'discarded' {
  const isWaiting = usePendingWrites(keeperId).some((write) => write.thing === entityId)
  const [hasWaited, setHasWaited] = useState(false)
  if (isWaiting && !hasWaited) setHasWaited(true)
  if (!hasWaited || isWaiting) return 'queued'
  return wasDiscarded(entityId) ? 'discarded' : 'sent'
}
