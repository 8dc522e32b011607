import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { lockedEvent } from '#web/api/session-gate.ts'
import { isDueAtStart, readLockRecord } from './lock-record.ts'

/** True from loading a locked page until it is unlocked: nothing is rendered before. The rest loads for those who use it. */
export function useAppLock(
  person: string | null,
  minutes: number | null | undefined,
  queryClient: QueryClient,
): boolean {
  const [isCovered, setCovered] = useState(isDueAtStart)
  useEffect(() => {
    if (person === null) return
    let stop: (() => void) | undefined
    let isStopped = false
    const load = async (isLocked: boolean) => {
      const { watchForIdle } = await import('./app-lock.tsx')
      // Several calls can be refused at once; the first one covers the page.
      if (isStopped || (isLocked && document.documentElement.dataset.locked !== undefined)) return
      stop?.()
      stop = watchForIdle({ person, minutes, isLocked, queryClient, onUnlocked: () => setCovered(false) })
    }
    const onLocked = () => void load(true)
    addEventListener(lockedEvent, onLocked)
    if (minutes || readLockRecord()) void load(false)
    return () => {
      isStopped = true
      removeEventListener(lockedEvent, onLocked)
      stop?.()
    }
  }, [person, minutes, queryClient])
  return isCovered && person !== null
}
