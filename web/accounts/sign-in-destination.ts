import { useEffect, useSyncExternalStore } from 'react'
import type { SignInResult } from '#contract/accounts/accounts.ts'
import { readStoredSession, storeSession } from './stored-session.ts'

/** Loads the application as a new page. `to` overrides every other destination. */
export function redirectAfterSignIn(data: Partial<SignInResult> | null | undefined, to?: string): void {
  if (!storeSession(data)) throw new Error('The sign-in response is missing the user or the token')
  location.assign(
    to ?? getSafeNext(location.search, location.origin) ?? toSafePath(getRequestedPath(), location.origin) ?? '/root',
  )
}

/** The path the guard refused; the router stores navigation state under `usr`. */
function getRequestedPath(): string | undefined {
  const path: unknown = (history.state as { usr?: { wanted?: unknown } | null } | null)?.usr?.wanted
  return typeof path === 'string' ? path : undefined
}

/** The path after signing in, or undefined for another site or a page for visitors. */
export function getSafeNext(search: string, origin: string): string | undefined {
  return toSafePath(new URLSearchParams(search).get('next') ?? undefined, origin)
}

export function toSafePath(next: string | undefined, origin: string): string | undefined {
  if (!next?.startsWith('/') || /[\\\s]/.test(next) || next.startsWith('//')) return undefined
  const url = URL.parse(next, origin)
  if (!url || url.origin !== origin || /^\/(login|register)?$/.test(url.pathname)) return undefined
  return url.pathname + url.search + url.hash
}

/** Redirects signed-in people away from login and register, unless the address has a task of its own, such as a reset link. */
export function useRedirectWhenSignedIn(): void {
  useEffect(() => {
    const search = new URLSearchParams(location.search)
    if (['setup', 'reset', 'state', 'again'].some((name) => search.has(name)) || !readStoredSession()) return
    const fallback = search.has('invitation') ? `/root/domain${location.search}` : '/root'
    location.replace(getSafeNext(location.search, location.origin) ?? fallback)
  }, [])
}

/** The query string; empty while hydrating, because the page is prerendered without one. */
export function useUrlSearchParams(): URLSearchParams {
  const search = useSyncExternalStore(
    subscribeToHistory,
    () => location.search,
    () => '',
  )
  return new URLSearchParams(search)
}

function subscribeToHistory(onChange: () => void): () => void {
  addEventListener('popstate', onChange)
  return () => removeEventListener('popstate', onChange)
}
