import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { followEvents, staleAfter } from './live-events.ts'

/** Long enough to look at another tab and come back. */
const restAfterHiddenMs = 1000

/**
 * One stream for this tab. A tab nobody looks at lets go of it: a browser has six connections for one
 * HTTP/1 server, and seven quiet tabs would block the eighth.
 */
export function useLiveEvents(): void {
  const { token, endSession } = useAuth()
  const queries = useQueryClient()

  useEffect(() => {
    if (token === null) return
    let following: AbortController | undefined
    let rest: ReturnType<typeof setTimeout> | undefined
    let missed = false

    function follow() {
      clearTimeout(rest)
      if (following) return
      following = new AbortController()
      if (missed) queries.invalidateQueries()
      missed = false
      followEvents({
        signal: following.signal,
        onGapOver: () => queries.invalidateQueries(),
        onEvent(event) {
          if (event.type === 'session-ended') endSession()
          for (const queryKey of staleAfter(event)) queries.invalidateQueries({ queryKey })
        },
      })
    }
    function letGo() {
      following?.abort()
      following = undefined
      missed = true
    }
    function look() {
      if (document.visibilityState === 'visible') follow()
      else rest = setTimeout(letGo, restAfterHiddenMs)
    }

    // A page that is left may be kept for the way back, and would keep its connection too.
    const comeBack = (event: PageTransitionEvent) => event.persisted && follow()

    follow()
    document.addEventListener('visibilitychange', look)
    addEventListener('pagehide', letGo)
    addEventListener('pageshow', comeBack)
    return () => {
      document.removeEventListener('visibilitychange', look)
      removeEventListener('pagehide', letGo)
      removeEventListener('pageshow', comeBack)
      clearTimeout(rest)
      following?.abort()
    }
  }, [token, endSession, queries])
}
