import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { LiveEvent } from '#contract/live/live-events.ts'
import { useAuth } from '#web/page/auth-context.tsx'
import { followEvents, getStaleQueryKeys, liveListeners } from './live-events.ts'

/** Grace period for briefly switching tabs (ms). */
const hiddenGraceMs = 1000

/** Closed while hidden: browsers allow six HTTP/1 connections per server. `onEvent` gets 'missed' after a gap. */
export function useLiveEvents(onEvent?: (event: LiveEvent | 'missed') => void): void {
  const { token, endSession } = useAuth()
  const queryClient = useQueryClient()
  const notify = useEffectEvent((event: LiveEvent | 'missed') => onEvent?.(event))

  useEffect(() => {
    if (token === null) return
    let connection: AbortController | undefined
    let hideTimer: ReturnType<typeof setTimeout> | undefined
    let missedEvents = false

    function connect() {
      clearTimeout(hideTimer)
      if (connection) return
      connection = new AbortController()
      followEvents({
        signal: connection.signal,
        // Only once the stream is open, else events in between would be lost.
        missedEvents,
        onReconnect: refetchAll,
        onEvent(event) {
          notify(event)
          for (const listener of liveListeners) listener(event)
          if (event.type === 'session-ended') endSession()
          for (const queryKey of getStaleQueryKeys(event)) queryClient.invalidateQueries({ queryKey })
        },
      })
      missedEvents = false
    }
    function refetchAll() {
      queryClient.invalidateQueries()
      notify('missed')
    }
    function disconnect() {
      connection?.abort()
      connection = undefined
      missedEvents = true
    }
    function handleVisibilityChange() {
      if (document.visibilityState === 'visible') connect()
      else hideTimer = setTimeout(disconnect, hiddenGraceMs)
    }

    // A page in the back-forward cache would keep its connection open.
    const handlePageShow = (event: PageTransitionEvent) => event.persisted && connect()

    connect()
    document.addEventListener('visibilitychange', handleVisibilityChange)
    addEventListener('pagehide', disconnect)
    addEventListener('pageshow', handlePageShow)
    return () => {
      document.removeEventListener('visibilitychange', handleVisibilityChange)
      removeEventListener('pagehide', disconnect)
      removeEventListener('pageshow', handlePageShow)
      clearTimeout(hideTimer)
      connection?.abort()
    }
  }, [token, endSession, queryClient])
}
