import { useEffect } from 'react'
import { safeNext } from './safe-next.ts'
import { readStoredSession } from './stored-session.ts'

/** Redirects signed-in people away from login and register, except for setup and reset links. */
export function useGoOnWhenSignedIn(): void {
  useEffect(() => {
    const search = new URLSearchParams(location.search)
    if (search.has('setup') || search.has('reset') || !readStoredSession()) return
    const answers = search.has('invitation') ? `/root/domain${location.search}` : '/root'
    location.replace(safeNext(location.search, location.origin) ?? answers)
  }, [])
}
