import { useEffect, useEffectEvent } from 'react'
import { useLiveEvents } from '#web/page/use-live-events.ts'

/** Calls `refresh` after changes in other tabs: on live events if signed in, else on focus and reconnect. */
export function useOtherTabs(
  sessionId: string | null,
  currentRunId: string | null | undefined,
  refresh: () => void,
): void {
  useLiveEvents((event) => {
    if (sessionId === null) return
    if (event === 'missed') return refresh()
    if (event.type === 'chat-changed' && event.sessionId === sessionId) refresh()
    const isRun = event.type === 'run-started' || event.type === 'run-finished'
    if (isRun && event.sessionId === sessionId && event.runId !== currentRunId) refresh()
  })

  const refreshIfVisible = useEffectEvent(() => {
    if (!document.hidden && sessionId !== null) refresh()
  })
  useEffect(() => {
    const handleVisible = () => refreshIfVisible()
    document.addEventListener('visibilitychange', handleVisible)
    addEventListener('focus', handleVisible)
    addEventListener('online', handleVisible)
    return () => {
      document.removeEventListener('visibilitychange', handleVisible)
      removeEventListener('focus', handleVisible)
      removeEventListener('online', handleVisible)
    }
  }, [])
}
