import { useEffect, useEffectEvent } from 'react'
import { useLiveEvents } from '#web/shell/use-live-events.ts'

/**
 * Another tab or machine may have gone on with this conversation: who is signed in is told at once, a visitor's page
 * looks when it is looked at again, or has its connection back.
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
