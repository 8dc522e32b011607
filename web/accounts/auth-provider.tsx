import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useEffect, useMemo, useState } from 'react'
import { accounts, type SessionFacts, type SignedIn, type User } from '#contract/accounts/accounts.ts'
import { call, onDeadToken, tokenKey } from '#web/api.ts'
import { forgetWhatWasRead, leaveNothing, unsentWork } from '#web/offline/sign-out.ts'
import {
  clearStoredSession,
  readStoredSession,
  type StoredSession,
  storeSession,
  storeUser,
  userKey,
} from './stored-session.ts'

export interface Auth {
  user: User | null
  token: string | null
  isAuthenticated: boolean
  isLoading: boolean
  /** Roles, permissions and domains; undefined until the server has said them. */
  facts: SessionFacts | undefined
  /** True when the last session was ended by the server, not by the person. */
  endedByServer: boolean
  login: (data: Partial<SignedIn> | null | undefined) => void
  /** Asks first while something that was written here waits to be sent. */
  logout: () => void
  /** The server ended the session: like a dead token, one comes back to this page after signing in again. */
  endSession: () => void
  updateUser: (changes: Partial<User>) => void
}

const SignOutDialog = lazy(() =>
  import('#web/offline/sign-out-dialog.tsx').then((module) => ({ default: module.SignOutDialog })),
)

const AuthContext = createContext<Auth | null>(null)

export function AuthProvider({ children }: { children: ReactNode }) {
  const [session, setSession] = useState<StoredSession | null>(null)
  const [isLoading, setLoading] = useState(true)
  const [endedByServer, setEndedByServer] = useState(false)
  const queries = useQueryClient()

  const adopt = useCallback((next: StoredSession | null) => {
    setSession((present) => (present?.token === next?.token && sameUser(present, next) ? present : next))
  }, [])

  useEffect(() => {
    adopt(readStoredSession())
    setLoading(false)
    function otherTab(event: StorageEvent) {
      if (event.key === null || event.key === tokenKey || event.key === userKey) adopt(readStoredSession())
    }
    addEventListener('storage', otherTab)
    return () => removeEventListener('storage', otherTab)
  }, [adopt])

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

  const token = session?.token ?? null
  const signedOut = !isLoading && token === null
  useEffect(() => {
    if (signedOut) queries.clear()
  }, [signedOut, queries])

  const { data: facts } = useQuery({
    queryKey: ['session', token],
    queryFn: ({ signal }) => call(accounts.session, { signal }),
    enabled: token !== null,
    staleTime: 60_000,
  })

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
      facts: token === null ? undefined : facts,
      endedByServer,
      login,
      logout,
      endSession,
      updateUser,
    }),
    [session, token, isLoading, facts, endedByServer, login, logout, endSession, updateUser],
  )
  return (
    <AuthContext value={auth}>
      {children}
      {asksToLeave && (
        <Suspense fallback={null}>
          <SignOutDialog onLeave={leave} onStay={() => setAsksToLeave(false)} />
        </Suspense>
      )}
    </AuthContext>
  )
}

const nobody: Auth = {
  user: null,
  token: null,
  isAuthenticated: false,
  isLoading: false,
  facts: undefined,
  endedByServer: false,
  login: () => undefined,
  logout: () => undefined,
  endSession: () => undefined,
  updateUser: () => undefined,
}

/** For pages where nobody can sign in, whatever lies in the browser. */
export function NobodySignedIn({ children }: { children: ReactNode }) {
  return <AuthContext value={nobody}>{children}</AuthContext>
}

export function useAuth(): Auth {
  const auth = use(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}

function sameUser(one: StoredSession | null, other: StoredSession | null): boolean {
  return JSON.stringify(one?.user) === JSON.stringify(other?.user)
}
