import { useEffect, useEffectEvent } from 'react'
import { useLiveEvents } from '#web/shell/use-live-events.ts'

/**
 * Refetches when another tab or device continued the conversation: by live events if signed in, else on focus and
 * reconnect.
 */
export function useOtherTabs(sessionId: string | null, ownRunId: string | null | undefined, look: () => void): void {
  useLiveEvents((event) => {
    if (sessionId === null) return
    if (event === 'missed') return look()
    if (event.type === 'chat-changed' && event.sessionId === sessionId) look()
    const isRun = event.type === 'run-started' || event.type === 'run-finished'
    if (isRun && event.sessionId === sessionId && event.runId !== ownRunId) look()
  })

  const lookAgain = useEffectEvent(() => {
    if (!document.hidden && sessionId !== null) look()
  })
  useEffect(() => {
    const visible = () => lookAgain()
    document.addEventListener('visibilitychange', visible)
    addEventListener('focus', visible)
    addEventListener('online', visible)
    return () => {
      document.removeEventListener('visibilitychange', visible)
      removeEventListener('focus', visible)
      removeEventListener('online', visible)
    }
  }, [])
}
