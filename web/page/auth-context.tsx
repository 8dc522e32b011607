import { createContext, type ReactNode, use } from 'react'
import type { SessionDetails, SignInResult, User } from '#contract/accounts/accounts.ts'

export interface Auth {
  user: User | null
  token: string | null
  isAuthenticated: boolean
  isLoading: boolean
  /** Roles, permissions and domains; undefined until the server answers. */
  access: SessionDetails | undefined
  accessError: Error | null
  refetchAccess: () => unknown
  wasEndedByServer: boolean
  login: (data: Partial<SignInResult> | null | undefined) => void
  /** Asks for confirmation while there are unsent changes. */
  logout: () => void
  /** The server ended the session; signing in again returns to this page. */
  endSession: () => void
  updateUser: (changes: Partial<User>) => void
}

export const AuthContext = createContext<Auth | null>(null)

const signedOutAuth: Auth = {
  user: null,
  token: null,
  isAuthenticated: false,
  isLoading: false,
  access: undefined,
  accessError: null,
  refetchAccess: () => undefined,
  wasEndedByServer: false,
  login: () => undefined,
  logout: () => undefined,
  endSession: () => undefined,
  updateUser: () => undefined,
}

/** For pages that ignore a stored session. */
export function SignedOutProvider({ children }: { children: ReactNode }) {
  return <AuthContext value={signedOutAuth}>{children}</AuthContext>
}

export function useAuth(): Auth {
  const auth = use(AuthContext)
  if (!auth) throw new Error('useAuth must be used within an AuthProvider')
  return auth
}
