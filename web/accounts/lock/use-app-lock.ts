import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { lockedEvent } from '#web/api/session-gate.ts'
import { isLockDueAtStart, readLockRecord } from './lock-record.ts'

/** True until a page that was loaded locked is unlocked; it renders nothing before. */
export function useAppLock(
  userId: string | null,
  minutes: number | null | undefined,
  queryClient: QueryClient,
): boolean {
  const [isCovered, setCovered] = useState(isLockDueAtStart)
  useEffect(() => {
    if (userId === null) return
    let stop: (() => void) | undefined
    let isStopped = false
    const load = async ({ isLocked }: { isLocked: boolean }) => {
      const { watchForIdle } = await import('./app-lock.tsx')
      // Several calls can be refused at once; the first one covers the page.
      if (isStopped || (isLocked && document.documentElement.dataset.locked !== undefined)) return
      stop?.()
      stop = watchForIdle({ userId, minutes, isLocked, queryClient, onUnlocked: () => setCovered(false) })
    }
    const onLocked = () => void load({ isLocked: true })
    addEventListener(lockedEvent, onLocked)
    if (minutes || readLockRecord()) void load({ isLocked: false })
    return () => {
      isStopped = true
      removeEventListener(lockedEvent, onLocked)
      stop?.()
    }
  }, [userId, minutes, queryClient])
  return isCovered && userId !== null
}
