import type { SignInResult, User } from '#contract/accounts/accounts.ts'
import { tokenKey } from '#web/api/api.ts'
import { userKey } from '#web/api/api-token.ts'

export { userKey } from '#web/api/api-token.ts'

const revokedToken = ''

/** Whether another tab signed out, rather than the browser clearing its storage. */
export function isSignOutEvent({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): boolean {
  return key === tokenKey && newValue === revokedToken
}

export interface StoredSession {
  token: string
  user: User
}

export function readStoredSession(): StoredSession | null {
  try {
    const token = localStorage.getItem(tokenKey)
    const storedUser = localStorage.getItem(userKey)
    if (!token || !storedUser) return null
    const user = JSON.parse(storedUser) as User | null
    if (typeof user !== 'object' || user === null) throw new Error('keeper_user is not an object')
    return { token, user }
  } catch (reason) {
    console.error('Failed to parse auth data from localStorage', reason)
    clearStoredSession()
    return null
  }
}

/** Returns false, and stores nothing, without a user and a token. */
export function storeSession(data: Partial<SignInResult> | null | undefined): data is SignInResult {
  if (!data?.token || !data.user) return false
  // The user comes first: a token alone would authenticate calls for a user that no page knows.
  localStorage.setItem(userKey, JSON.stringify(data.user))
  localStorage.setItem(tokenKey, data.token)
  return true
}

export function storeUser(user: User): void {
  try {
    localStorage.setItem(userKey, JSON.stringify(user))
  } catch {
    // Storage is blocked or full; the session stays in memory.
  }
}

/** Writes an empty token first, which tells other tabs that this is a sign-out (`isEnded`) and not a cleared storage. */
export function clearStoredSession({ isEnded = true } = {}): void {
  try {
    if (isEnded) localStorage.setItem(tokenKey, revokedToken)
    localStorage.removeItem(tokenKey)
    localStorage.removeItem(userKey)
  } catch {
    // Storage is blocked, so there is nothing to clear.
  }
}
