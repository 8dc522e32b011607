import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react'
import { accounts, type SessionFacts, type SignedIn, type User } from '#contract/accounts/accounts.ts'
import { call, onDeadToken, tokenKey } from '#web/api.ts'
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
  logout: () => void
  /** The server ended the session: like a dead token, one comes back to this page after signing in again. */
  endSession: () => void
  updateUser: (changes: Partial<User>) => void
}

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

  const endSession = useCallback(() => {
    clearStoredSession()
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

  const logout = useCallback(() => {
    // The call reads the token as it begins, so it goes before the clearing; its outcome changes nothing here.
    call(accounts.logout).catch(() => undefined)
    clearStoredSession()
    setEndedByServer(false)
    setSession(null)
  }, [])

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
  return <AuthContext value={auth}>{children}</AuthContext>
}

export function useAuth(): Auth {
  const auth = use(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}

function sameUser(one: StoredSession | null, other: StoredSession | null): boolean {
  return JSON.stringify(one?.user) === JSON.stringify(other?.user)
}
