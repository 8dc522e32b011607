import type { SignedIn, User } from '#contract/accounts/accounts.ts'
import { tokenKey } from '#web/api.ts'
import { userKey } from '#web/api-token.ts'

export { userKey } from '#web/api-token.ts'

const endedToken = ''

/** Whether this storage event tells that Keeper itself ended the session in another tab. */
export function tellsOfEnd({ key, newValue }: Pick<StorageEvent, 'key' | 'newValue'>): boolean {
  return key === tokenKey && newValue === endedToken
}

export interface StoredSession {
  token: string
  user: User
}

/** Both or nothing: half a session is none. */
export function readStoredSession(): StoredSession | null {
  try {
    const token = localStorage.getItem(tokenKey)
    const stored = localStorage.getItem(userKey)
    if (!token || !stored) return null
    const user = JSON.parse(stored) as User | null
    if (typeof user !== 'object' || user === null) throw new Error('keeper_user is no object')
    return { token, user }
  } catch (reason) {
    console.error('Failed to parse auth data from localStorage', reason)
    clearStoredSession()
    return null
  }
}

/** Answers whether it was stored: sign-in data without a user or a token is ignored. */
export function storeSession(data: Partial<SignedIn> | null | undefined): data is SignedIn {
  if (!data?.token || !data.user) return false
  // A browser without room for both keeps no token: with it alone calls would be made for somebody no page knows of.
  localStorage.setItem(userKey, JSON.stringify(data.user))
  localStorage.setItem(tokenKey, data.token)
  return true
}

export function storeUser(user: User): void {
  try {
    localStorage.setItem(userKey, JSON.stringify(user))
  } catch {
    // The browser keeps nothing for this page, or nothing more: this page goes on with what it knows.
  }
}

/**
 * The empty token comes first for the other tabs: it tells a session that Keeper ended from one whose storage was cleared.
 * @param isEnded false where only this tab gives the session up
 */
export function clearStoredSession({ isEnded = true } = {}): void {
  try {
    if (isEnded) localStorage.setItem(tokenKey, endedToken)
    localStorage.removeItem(tokenKey)
    localStorage.removeItem(userKey)
  } catch {
    // Where nothing can be kept nothing is.
  }
}
