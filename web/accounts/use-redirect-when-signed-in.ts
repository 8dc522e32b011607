import { useEffect } from 'react'
import { getSafeNext } from './safe-next.ts'
import { readStoredSession } from './stored-session.ts'

/** Redirects signed-in people away from login and register, except for setup and reset links. */
export function useRedirectWhenSignedIn(): void {
  useEffect(() => {
    const search = new URLSearchParams(location.search)
    if (search.has('setup') || search.has('reset') || !readStoredSession()) return
    const fallback = search.has('invitation') ? `/root/domain${location.search}` : '/root'
    location.replace(getSafeNext(location.search, location.origin) ?? fallback)
  }, [])
}
