import { type Query, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { type LiveEvent, live } from '#contract/live/live-events.ts'
import { ApiError, stream } from '#web/api/api.ts'
import { useAuth } from '#web/page/auth-context.tsx'

export const liveListeners = new Set<(event: LiveEvent) => void>()

export function getStaleQueryKeys(event: LiveEvent): QueryKey[] {
  switch (event.type) {
    case 'agents-changed':
      return [['agents']]
    case 'keys-changed':
      return [['keys'], ['provider-lists']]
    case 'chat-changed':
      return [['agents', 'sessions']]
    case 'keeper-changed':
      return [['keepers'], ['keeper']]
    case 'domains-changed':
      return [['domains'], ['people'], ['shared'], ['session'], ['boards']]
    case 'boards-changed':
      return [['boards']]
    // The open board refetches itself when no one is typing.
    case 'board-saved':
      return [
        ['boards', 'list'],
        ['boards', 'in-frame', event.boardId],
      ]
    // The open board handles these itself.
    case 'board-presence':
    case 'board-change':
      return []
    case 'import-changed':
      return [['imports']]
    case 'run-started':
    case 'run-finished':
      return [['agents', 'logs'], ['agents', 'sessions'], ['agents', 'stats'], ['runs', event.runId], ['usage']]
    case 'session-changed':
      return [['session']]
    case 'account-changed':
      return [['session'], ['own-account']]
    case 'session-ended':
    case 'session-locked':
      return []
  }
}

const baseRetryDelayMs = 1000
const maxRetryDelayMs = 30_000

/** Exponential backoff in ms: 1 s to 30 s, at least `minMs`, with jitter so that tabs don't reconnect together. */
export function getRetryDelay(attempt: number, { minMs = 0, random = Math.random } = {}): number {
  const delayMs = Math.min(baseRetryDelayMs * 2 ** attempt, maxRetryDelayMs)
  return Math.round(Math.max(delayMs * (0.75 + random() * 0.5), minMs * (1 + random() * 0.5)))
}

interface FollowOptions {
  onEvent: (event: LiveEvent) => void
  onOpen: () => void
  /** The stream opens after a gap in which events were missed. */
  onReopen: () => void
  /** Whether events were missed before the first opening. */
  hasMissedEvents: boolean
  signal: AbortSignal
}

/** Follows GET /api/events until aborted, reconnecting after each break. */
async function followEvents({ onEvent, onOpen, onReopen, hasMissedEvents, signal }: FollowOptions): Promise<void> {
  let attempt = 0
  let isAfterGap = hasMissedEvents
  while (!signal.aborted) {
    let minMs = 0
    try {
      await stream(live.events, { signal }, (name, data) => {
        if (name === 'open') {
          if (isAfterGap) onReopen()
          else onOpen()
          isAfterGap = true
          attempt = 0
        } else if (isLiveEvent(data)) onEvent(data)
      })
    } catch (reason) {
      // Any failure is retried; an invalid token ends the loop through sign-out.
      minMs = reason instanceof ApiError ? (reason.retryAfterSeconds ?? 0) * 1000 : 0
    }
    if (signal.aborted) return
    await waitUntilOnline(getRetryDelay(attempt, { minMs }), signal)
    attempt += 1
  }
}

function isLiveEvent(data: unknown): data is LiveEvent {
  return typeof data === 'object' && data !== null && 'type' in data
}

function waitUntilOnline(maxWaitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, maxWaitMs)
    addEventListener('online', finish)
    signal.addEventListener('abort', finish)
  })
}

/** Data that arrived this long before the stream opened may be outdated (ms). */
const earlyReadMs = 500

/** Grace period for briefly switching tabs (ms). */
const hiddenGraceMs = 1000

/** The stream closes while the page is hidden, as browsers allow only six HTTP/1 connections. After a gap, `onEvent` gets 'missed'. */
export function useLiveEvents(onEvent?: (event: LiveEvent | 'missed') => void): void {
  const { token, endSession } = useAuth()
  const queryClient = useQueryClient()
  const notify = useEffectEvent((event: LiveEvent | 'missed') => onEvent?.(event))

  useEffect(() => {
    if (token === null) return
    let connection: AbortController | undefined
    let hideTimer: ReturnType<typeof setTimeout> | undefined
    let hasMissedEvents = false
    let connectedAt = 0

    function connect() {
      clearTimeout(hideTimer)
      if (connection) return
      connection = new AbortController()
      connectedAt = performance.now()
      followEvents({
        signal: connection.signal,
        // Only once the stream is open, else events in between would be lost.
        hasMissedEvents,
        onOpen: refetchEarlyReads,
        onReopen: refetchAll,
        onEvent(event) {
          notify(event)
          for (const listener of liveListeners) listener(event)
          if (event.type === 'session-ended') endSession()
          for (const queryKey of getStaleQueryKeys(event)) queryClient.invalidateQueries({ queryKey })
        },
      })
      hasMissedEvents = false
    }
    /** A stream can open late, for example behind downloads, and has missed what changed after reads that ended before. */
    function refetchEarlyReads() {
      const isEarly = ({ state }: Query) =>
        state.status === 'success' && state.fetchStatus === 'idle' && state.dataUpdatedAt < Date.now() - earlyReadMs
      queryClient.invalidateQueries({ predicate: isEarly })
      if (performance.now() - connectedAt > earlyReadMs) notify('missed')
    }
    function refetchAll() {
      queryClient.invalidateQueries()
      notify('missed')
    }
    function disconnect() {
      connection?.abort()
      connection = undefined
      hasMissedEvents = true
    }
    function handleVisibilityChange() {
      if (document.visibilityState === 'visible') connect()
      else hideTimer = setTimeout(disconnect, hiddenGraceMs)
    }

    // A page in the back-forward cache would keep its connection open.
    const handlePageShow = (event: PageTransitionEvent) => {
      if (event.persisted) connect()
    }

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
