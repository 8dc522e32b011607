import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  lazy,
  type ReactNode,
  Suspense,
  startTransition,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { accounts, type SignInResult, type User } from '#contract/accounts/accounts.ts'
import { call, onInvalidToken, setProofRequest, tokenKey } from '#web/api/api.ts'
import { withTimeout } from '#web/api/api-request.ts'
import { onMissingToken } from '#web/api/session-gate.ts'
import { forgetReads } from '#web/offline/local-store.ts'
import { getSignedInUserId, setPageOwner } from '#web/offline/signed-in-user.ts'
import { clearUserData, hasUnsentWork } from '#web/offline/unsent-work.ts'
import { type Auth, AuthContext } from '../page/auth-context.tsx'
import { useAppLock } from './lock/use-app-lock.ts'
import {
  clearStoredSession,
  isSignOutEvent,
  readStoredSession,
  type StoredSession,
  storeSession,
  storeUser,
  userKey,
} from './stored-session.ts'
import { useLostSession } from './use-lost-session.ts'

export const fetchSession = (signal: AbortSignal, timeoutMs?: number) =>
  call(accounts.session, { signal: withTimeout(signal, timeoutMs) })

export { useAuth } from '../page/auth-context.tsx'

const SignOutDialog = lazy(() =>
  import('#web/offline/pending-dialog.tsx').then((module) => ({ default: module.SignOutDialog })),
)

const SignInAgainDialog = lazy(() =>
  import('./sign-in-again-dialog.tsx').then((module) => ({ default: module.SignInAgainDialog })),
)

setProofRequest(async (code) => (await import('./proof-dialog.tsx')).requestProof(code))

const clockToleranceMs = 60_000

export function AuthProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<StoredSession | null>(null)
  const [isLoading, setLoading] = useState(true)
  const [wasEndedByServer, setWasEndedByServer] = useState(false)

  const lostSession = useLostSession()
  const { markLost, abandonRecovery, markRecovered } = lostSession
  /** Expiry reported by the server (epoch ms). */
  const expiresAt = useRef(Number.POSITIVE_INFINITY)

  const setSessionIfChanged = useCallback((next: StoredSession | null) => {
    setSession((current) => (current?.token === next?.token && isSameUser(current, next) ? current : next))
  }, [])

  const [hasOtherUserSignedIn, setOtherUserSignedIn] = useState(false)
  /** True from signing out until the next sign-in, so that a missing session isn't reported as lost. */
  const isLeaving = useRef(false)
  const handleStorageEvent = useEffectEvent((event: StorageEvent) => {
    if (event.key !== null && event.key !== tokenKey && event.key !== userKey) return
    const stored = readStoredSession()
    if (session && stored && stored.user.id !== session.user.id) switchToOtherUser()
    else if (stored) {
      setSessionIfChanged(stored)
      markRecovered()
    } else if (session && !isSignOutEvent(event)) loseSession()
    else leavePage()
  })
  const switchToOtherUser = () => {
    abandonRecovery()
    setOtherUserSignedIn(true)
  }
  const leavePage = () => {
    isLeaving.current = true
    abandonRecovery()
    setSessionIfChanged(null)
  }
  const loseSession = () => {
    if (!isLeaving.current) markLost('cleared')
  }
  /** Browsers clear storage without an event, and a page restored from the back/forward cache has missed all events. */
  const checkStorage = useEffectEvent((event?: Event) => {
    if (!session || getSignedInUserId() !== null) return
    if (event?.type === 'pageshow') leavePage()
    else loseSession()
  })
  useEffect(() => {
    setSessionIfChanged(readStoredSession())
    // Waits for the shell without a fallback of its own, which React would show for at least 300 ms.
    startTransition(() => setLoading(false))
    const onStorage = (event: StorageEvent) => handleStorageEvent(event)
    const onPossibleLoss = (event: Event) => checkStorage(event)
    const onPageShow = (event: PageTransitionEvent) => {
      if (event.persisted) checkStorage(event)
    }
    addEventListener('storage', onStorage)
    addEventListener('focus', onPossibleLoss)
    addEventListener('pageshow', onPageShow)
    document.addEventListener('visibilitychange', onPossibleLoss)
    document.addEventListener('input', onPossibleLoss)
    const stopListening = onMissingToken(() => checkStorage())
    return () => {
      removeEventListener('storage', onStorage)
      removeEventListener('focus', onPossibleLoss)
      removeEventListener('pageshow', onPageShow)
      document.removeEventListener('visibilitychange', onPossibleLoss)
      document.removeEventListener('input', onPossibleLoss)
      stopListening()
    }
  }, [setSessionIfChanged])
  // Another person signed in in a different tab: a full load drops the previous person's data from memory.
  useEffect(() => {
    if (hasOtherUserSignedIn) location.assign('/root')
  }, [hasOtherUserSignedIn])

  const [isConfirmingSignOut, setConfirmingSignOut] = useState(false)

  const endSession = useCallback(() => {
    const storedUserId = readStoredSession()?.user.id
    // After a sign-out here, the server reports the ended session, too.
    if (!storedUserId) return
    if (expiresAt.current <= Date.now() + clockToleranceMs) return markLost('expired')
    isLeaving.current = true
    abandonRecovery()
    clearStoredSession()
    void forgetReads(storedUserId)
    setWasEndedByServer(true)
    setSession(null)
  }, [markLost, abandonRecovery])
  useEffect(() => onInvalidToken(endSession), [endSession])

  const userId = session?.user.id ?? null
  useEffect(() => setPageOwner(userId), [userId])

  const token = session?.token ?? null
  const { data, error, refetch } = useQuery({
    queryKey: ['session', token],
    queryFn: ({ signal }) => fetchSession(signal),
    enabled: token !== null,
    staleTime: 60_000,
    // Keeps the page in place when the same person signs in again.
    placeholderData: (previous) => (previous?.user.id === userId ? previous : undefined),
  })
  useEffect(() => {
    expiresAt.current = data ? Date.parse(data.expiresAt) : Number.POSITIVE_INFINITY
  }, [data])
  // Must follow the session query, so that it isn't refetched for the person who left.
  useResetOnSignOut(token !== null)
  const access = token === null ? undefined : data
  const isCovered = useAppLock(userId, access?.lockMinutes, useQueryClient())

  const login = useCallback((data: Partial<SignInResult> | null | undefined) => {
    if (!storeSession(data)) return
    isLeaving.current = false
    setWasEndedByServer(false)
    setSession({ token: data.token, user: data.user })
  }, [])
  const signInAgain = useCallback(
    (data: SignInResult) => {
      if (data.user.id === userId) {
        login(data)
        return markRecovered()
      }
      storeSession(data)
      abandonRecovery()
      setOtherUserSignedIn(true)
    },
    [userId, login, markRecovered, abandonRecovery],
  )
  const abandonSession = useCallback(() => {
    isLeaving.current = true
    // Other tabs may have unsaved text and prompt on their own.
    clearStoredSession({ isEnded: false })
    abandonRecovery()
    setWasEndedByServer(true)
    setSession(null)
  }, [abandonRecovery])

  const signOut = useCallback(() => {
    // The call reads the token when it starts, so it precedes the clearing.
    call(accounts.logout).catch(() => undefined)
    const storedUserId = readStoredSession()?.user.id
    isLeaving.current = true
    abandonRecovery()
    clearStoredSession()
    if (storedUserId) clearUserData(storedUserId)
    setConfirmingSignOut(false)
    setWasEndedByServer(false)
    setSession(null)
  }, [abandonRecovery])
  const logout = useCallback(() => {
    hasUnsentWork().then((unsent) => (unsent ? setConfirmingSignOut(true) : signOut()))
  }, [signOut])

  const updateUser = useCallback((changes: Partial<User>) => {
    setSession((current) => {
      if (!current) return current
      const user = { ...current.user, ...changes }
      storeUser(user)
      return { ...current, user }
    })
  }, [])

  const auth = useMemo<Auth>(
    () => ({
      user: session?.user ?? null,
      token,
      isAuthenticated: token !== null,
      isLoading,
      access,
      accessError: access ? null : error,
      refetchAccess: refetch,
      wasEndedByServer,
      login,
      logout,
      endSession,
      updateUser,
    }),
    [session, token, isLoading, access, error, refetch, wasEndedByServer, login, logout, endSession, updateUser],
  )
  return (
    <AuthContext value={auth}>
      {!hasOtherUserSignedIn && !isCovered && children}
      {lostSession.isPrompting && lostSession.sessionLoss && session && (
        <Suspense fallback={null}>
          <SignInAgainDialog
            sessionLoss={lostSession.sessionLoss}
            email={session.user.email}
            onSignedIn={signInAgain}
            onClose={lostSession.dismissPrompt}
            onLeave={abandonSession}
          />
        </Suspense>
      )}
      {isConfirmingSignOut && (
        <Suspense fallback={null}>
          <SignOutDialog onLeave={signOut} onStay={() => setConfirmingSignOut(false)} />
        </Suspense>
      )}
    </AuthContext>
  )
}

function isSameUser(first: StoredSession | null, second: StoredSession | null): boolean {
  return JSON.stringify(first?.user) === JSON.stringify(second?.user)
}

/** Drops all responses on sign-out in any tab and refetches mounted queries, which would otherwise stay pending. */
function useResetOnSignOut(isSignedIn: boolean): void {
  const queryClient = useQueryClient()
  // Runs before the pages fetch as a visitor, which they do in effects.
  useLayoutEffect(() => {
    if (isSignedIn) return () => resetQueries(queryClient)
  }, [isSignedIn, queryClient])
  // Runs after pages have unmounted their queries and the remaining ones have started theirs.
  useEffect(() => {
    if (!isSignedIn) refetchActiveQueries(queryClient)
  }, [isSignedIn, queryClient])
}

export function resetQueries(queryClient: QueryClient): void {
  queryClient.getMutationCache().clear()
  for (const query of queryClient.getQueryCache().getAll()) query.reset()
}

export function refetchActiveQueries(queryClient: QueryClient): void {
  queryClient.removeQueries({ predicate: (query) => query.getObserversCount() === 0 })
  void queryClient.refetchQueries({ type: 'active', fetchStatus: 'idle' })
}
