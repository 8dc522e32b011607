import { useQuery } from '@tanstack/react-query'
import {
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react'
import { accounts, type SignedIn, type User } from '#contract/accounts/accounts.ts'
import { call, onDeadToken, tokenKey } from '#web/api.ts'
import { forgetWhatWasRead, leaveNothing, unsentWork } from '#web/offline/sign-out.ts'
import { pageBelongsTo, whoseBrowser } from '#web/offline/whose-browser.ts'
import { onMissingToken } from '#web/session-gate.ts'
import { askForSession } from './ask-for-session.ts'
import { type Auth, AuthContext } from './auth-context.tsx'
import {
  clearStoredSession,
  readStoredSession,
  type StoredSession,
  storeSession,
  storeUser,
  tellsOfEnd,
  userKey,
} from './stored-session.ts'
import { useAnswersOfPerson } from './use-answers-of-person.ts'
import { useLostSession } from './use-lost-session.ts'

export { useAuth } from './auth-context.tsx'

const SignOutDialog = lazy(() =>
  import('#web/offline/sign-out-dialog.tsx').then((module) => ({ default: module.SignOutDialog })),
)

const SignInAgainDialog = lazy(() =>
  import('./sign-in-again-dialog.tsx').then((module) => ({ default: module.SignInAgainDialog })),
)

/** Tolerated clock difference between browser and server. */
const clockDifferenceMs = 60_000

export function AuthProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<StoredSession | null>(null)
  const [isLoading, setLoading] = useState(true)
  const [endedByServer, setEndedByServer] = useState(false)

  const lost = useLostSession()
  const { lose, giveUp: giveUpLost, giveBack } = lost
  /** Expiry reported by the server (epoch ms). */
  const endsAt = useRef(Number.POSITIVE_INFINITY)

  const adopt = useCallback((next: StoredSession | null) => {
    setSession((present) => (present?.token === next?.token && sameUser(present, next) ? present : next))
  }, [])

  const [isAnothers, setAnothers] = useState(false)
  /** True from signing out until the next sign-in, so that a missing session isn't reported as lost. */
  const isLeaving = useRef(false)
  const otherTab = useEffectEvent((event: StorageEvent) => {
    if (event.key !== null && event.key !== tokenKey && event.key !== userKey) return
    const stored = readStoredSession()
    if (session && stored && stored.user.id !== session.user.id) becomeAnothers()
    else if (stored) {
      adopt(stored)
      giveBack()
    } else if (session && !tellsOfEnd(event)) loseSession()
    else leavePage()
  })
  const becomeAnothers = () => {
    giveUpLost()
    setAnothers(true)
  }
  const leavePage = () => {
    isLeaving.current = true
    giveUpLost()
    adopt(null)
  }
  const loseSession = () => {
    if (!isLeaving.current) lose('cleared')
  }
  /** Browsers clear storage without an event, and a page restored from the cache misses all of them. */
  const checkStorage = useEffectEvent((event?: Event) => {
    if (!session || whoseBrowser() !== null) return
    if (event?.type === 'pageshow') leavePage()
    else loseSession()
  })
  useEffect(() => {
    adopt(readStoredSession())
    setLoading(false)
    const heard = (event: StorageEvent) => otherTab(event)
    const check = (event: Event) => checkStorage(event)
    const cameBack = (event: PageTransitionEvent) => event.persisted && checkStorage(event)
    addEventListener('storage', heard)
    addEventListener('focus', check)
    addEventListener('pageshow', cameBack)
    document.addEventListener('visibilitychange', check)
    document.addEventListener('input', check)
    const stopListening = onMissingToken(() => checkStorage())
    return () => {
      removeEventListener('storage', heard)
      removeEventListener('focus', check)
      removeEventListener('pageshow', cameBack)
      document.removeEventListener('visibilitychange', check)
      document.removeEventListener('input', check)
      stopListening()
    }
  }, [adopt])
  // Another person signed in in a different tab: a full load drops the previous person's data from memory.
  useEffect(() => {
    if (isAnothers) location.assign('/root')
  }, [isAnothers])

  const [asksToLeave, setAsksToLeave] = useState(false)

  const endSession = useCallback(() => {
    const ended = readStoredSession()?.user.id
    // Signing out also makes the server report a dead token.
    if (!ended) return
    if (endsAt.current <= Date.now() + clockDifferenceMs) return lose('expired')
    isLeaving.current = true
    giveUpLost()
    clearStoredSession()
    forgetWhatWasRead(ended)
    setEndedByServer(true)
    setSession(null)
  }, [lose, giveUpLost])
  useEffect(() => onDeadToken(endSession), [endSession])

  const person = session?.user.id ?? null
  useEffect(() => pageBelongsTo(person), [person])

  const token = session?.token ?? null
  const { data, error, refetch } = useQuery({
    queryKey: ['session', token],
    queryFn: ({ signal }) => askForSession(signal),
    enabled: token !== null,
    staleTime: 60_000,
    // Keeps the page in place when the same person signs in again.
    placeholderData: (previous) => (previous?.user.id === person ? previous : undefined),
  })
  useEffect(() => {
    endsAt.current = data ? Date.parse(data.expiresAt) : Number.POSITIVE_INFINITY
  }, [data])
  // Must follow the session query, so that it isn't refetched for the person who left.
  useAnswersOfPerson(token !== null)
  const facts = token === null ? undefined : data

  const login = useCallback((data: Partial<SignedIn> | null | undefined) => {
    if (!storeSession(data)) return
    isLeaving.current = false
    setEndedByServer(false)
    setSession({ token: data.token, user: data.user })
  }, [])
  const signInAgain = useCallback(
    (data: SignedIn) => {
      const isSame = data.user.id === person
      if (isSame) login(data)
      else storeSession(data)
      if (isSame) return giveBack()
      giveUpLost()
      setAnothers(true)
    },
    [person, login, giveBack, giveUpLost],
  )
  const leaveLost = useCallback(() => {
    isLeaving.current = true
    // Other tabs may have unsaved text and prompt on their own.
    clearStoredSession({ isEnded: false })
    giveUpLost()
    setEndedByServer(true)
    setSession(null)
  }, [giveUpLost])

  const leave = useCallback(() => {
    // The call reads the token when it starts, so it precedes the clearing.
    call(accounts.logout).catch(() => undefined)
    const left = readStoredSession()?.user.id
    isLeaving.current = true
    giveUpLost()
    clearStoredSession()
    if (left) leaveNothing(left)
    setAsksToLeave(false)
    setEndedByServer(false)
    setSession(null)
  }, [giveUpLost])
  const logout = useCallback(() => {
    unsentWork().then((unsent) => (unsent ? setAsksToLeave(true) : leave()))
  }, [leave])

  const updateUser = useCallback((changes: Partial<User>) => {
    setSession((present) => {
      if (!present) return present
      const user = { ...present.user, ...changes }
      storeUser(user)
      return { ...present, user }
    })
  }, [])

  const auth = useMemo<Auth>(
    () => ({
      user: session?.user ?? null,
      token,
      isAuthenticated: token !== null,
      isLoading,
      facts,
      factsFailure: facts ? null : error,
      askForFacts: refetch,
      endedByServer,
      login,
      logout,
      endSession,
      updateUser,
    }),
    [session, token, isLoading, facts, error, refetch, endedByServer, login, logout, endSession, updateUser],
  )
  return (
    <AuthContext value={auth}>
      {!isAnothers && children}
      {lost.isAsking && lost.how && session && (
        <Suspense fallback={null}>
          <SignInAgainDialog
            how={lost.how}
            email={session.user.email}
            onSignedIn={signInAgain}
            onClose={lost.putOff}
            onLeave={leaveLost}
          />
        </Suspense>
      )}
      {asksToLeave && (
        <Suspense fallback={null}>
          <SignOutDialog onLeave={leave} onStay={() => setAsksToLeave(false)} />
        </Suspense>
      )}
    </AuthContext>
  )
}

function sameUser(one: StoredSession | null, other: StoredSession | null): boolean {
  return JSON.stringify(one?.user) === JSON.stringify(other?.user)
}
