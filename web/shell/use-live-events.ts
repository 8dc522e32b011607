import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { useAuth } from '#web/accounts/auth-context.tsx'
import { followEvents, liveListeners, staleAfter } from './live-events.ts'

/** Grace period for briefly switching tabs (ms). */
const restAfterHiddenMs = 1000

/**
 * One stream per tab, closed while hidden: browsers allow six HTTP/1 connections per server, so seven tabs would block
 * the next. `hear` gets each event, and 'missed' after a gap.
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
        // Only once the stream is open, else events in between would be lost.
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

    // A page in the back-forward cache would keep its connection open.
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
