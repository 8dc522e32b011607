import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { useAuth } from '#web/accounts/auth-context.tsx'
import { followEvents, liveListeners, staleAfter } from './live-events.ts'

/** Long enough to look at another tab and come back. */
const restAfterHiddenMs = 1000

/**
 * One stream for this tab. A tab nobody looks at lets go of it: a browser has six connections for one
 * HTTP/1 server, and seven quiet tabs would block the eighth.
 * `hear` is told each happening, and `missed` after a time in which any may have been.
 */
export function useLiveEvents(hear?: (event: LiveEvent | 'missed') => void): void {
  const { token, endSession } = useAuth()
  const queries = useQueryClient()
  const pass = useEffectEvent((event: LiveEvent | 'missed') => hear?.(event))

  useEffect(() => {
    if (token === null) return
    let following: AbortController | undefined
    let rest: ReturnType<typeof setTimeout> | undefined
    let missed = false

    function follow() {
      clearTimeout(rest)
      if (following) return
      following = new AbortController()
      followEvents({
        signal: following.signal,
        // Not before the stream is open: what happened in between would be neither read nor told.
        missed,
        onGapOver: catchUp,
        onEvent(event) {
          pass(event)
          for (const listener of liveListeners) listener(event)
          if (event.type === 'session-ended') endSession()
          for (const queryKey of staleAfter(event)) queries.invalidateQueries({ queryKey })
        },
      })
      missed = false
    }
    function catchUp() {
      queries.invalidateQueries()
      pass('missed')
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
