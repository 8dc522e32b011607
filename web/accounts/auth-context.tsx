import { createContext, type ReactNode, use } from 'react'
import type { SessionFacts, SignedIn, User } from '#contract/accounts/accounts.ts'

export interface Auth {
  user: User | null
  token: string | null
  isAuthenticated: boolean
  isLoading: boolean
  /** Roles, permissions and domains; undefined until the server has said them. */
  facts: SessionFacts | undefined
  /** Why the server has not said them, once it was asked. */
  factsFailure: Error | null
  askForFacts: () => unknown
  /** True when the last session was ended by the server, not by the person. */
  endedByServer: boolean
  login: (data: Partial<SignedIn> | null | undefined) => void
  /** Asks first while something that was written here waits to be sent. */
  logout: () => void
  /** The server ended the session: like a dead token, one comes back to this page after signing in again. */
  endSession: () => void
  updateUser: (changes: Partial<User>) => void
}

export const AuthContext = createContext<Auth | null>(null)

const nobody: Auth = {
  user: null,
  token: null,
  isAuthenticated: false,
  isLoading: false,
  facts: undefined,
  factsFailure: null,
  askForFacts: () => undefined,
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
