import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { accounts, type SignedIn, type User } from '#contract/accounts/accounts.ts'
import { call, onDeadToken, tokenKey } from '#web/api.ts'
import { forgetWhatWasRead, leaveNothing, unsentWork } from '#web/offline/sign-out.ts'
import { pageBelongsTo } from '#web/offline/whose-browser.ts'
import { askForSession } from './ask-for-session.ts'
import { type Auth, AuthContext } from './auth-context.tsx'
import {
  clearStoredSession,
  readStoredSession,
  type StoredSession,
  storeSession,
  storeUser,
  userKey,
} from './stored-session.ts'
import { useAnswersOfPerson } from './use-answers-of-person.ts'

export { useAuth } from './auth-context.tsx'

const SignOutDialog = lazy(() =>
  import('#web/offline/sign-out-dialog.tsx').then((module) => ({ default: module.SignOutDialog })),
)

export function AuthProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<StoredSession | null>(null)
  const [isLoading, setLoading] = useState(true)
  const [endedByServer, setEndedByServer] = useState(false)

  const adopt = useCallback((next: StoredSession | null) => {
    setSession((present) => (present?.token === next?.token && sameUser(present, next) ? present : next))
  }, [])

  const [isAnothers, setAnothers] = useState(false)
  const otherTab = useEffectEvent((event: StorageEvent) => {
    if (event.key !== null && event.key !== tokenKey && event.key !== userKey) return
    const stored = readStoredSession()
    if (session && stored && stored.user.id !== session.user.id) setAnothers(true)
    else adopt(stored)
  })
  useEffect(() => {
    adopt(readStoredSession())
    setLoading(false)
    const heard = (event: StorageEvent) => otherTab(event)
    addEventListener('storage', heard)
    return () => removeEventListener('storage', heard)
  }, [adopt])
  // Somebody else signed in in another tab. Every page is left by then, so none asks to stay, and nothing read for the
  // one before stays in memory.
  useEffect(() => {
    if (isAnothers) location.assign('/root')
  }, [isAnothers])

  const [asksToLeave, setAsksToLeave] = useState(false)

  const endSession = useCallback(() => {
    const ended = readStoredSession()?.user.id
    // Who has just signed out hears of it from the server too.
    if (!ended) return
    clearStoredSession()
    forgetWhatWasRead(ended)
    setEndedByServer(true)
    setSession(null)
  }, [])
  useEffect(() => onDeadToken(endSession), [endSession])

  const person = session?.user.id ?? null
  useEffect(() => pageBelongsTo(person), [person])

  const token = session?.token ?? null
  const { data, error, refetch } = useQuery({
    queryKey: ['session', token],
    queryFn: ({ signal }) => askForSession(signal),
    enabled: token !== null,
    staleTime: 60_000,
  })
  // After the question for the session, so that nobody asks for that of who has left.
  useAnswersOfPerson(token !== null)
  const facts = token === null ? undefined : data

  const login = useCallback((data: Partial<SignedIn> | null | undefined) => {
    if (!storeSession(data)) return
    setEndedByServer(false)
    setSession({ token: data.token, user: data.user })
  }, [])

  const leave = useCallback(() => {
    // The call reads the token as it begins, so it goes before the clearing; its outcome changes nothing here.
    call(accounts.logout).catch(() => undefined)
    const left = readStoredSession()?.user.id
    clearStoredSession()
    if (left) leaveNothing(left)
    setAsksToLeave(false)
    setEndedByServer(false)
    setSession(null)
  }, [])
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
