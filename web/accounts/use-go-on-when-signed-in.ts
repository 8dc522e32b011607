import { useEffect } from 'react'
import { safeNext } from './safe-next.ts'
import { readStoredSession } from './stored-session.ts'

/** Who is signed in already has nothing to do at the door, unless they came by a link that is for its own sake. */
export function useGoOnWhenSignedIn(): void {
  useEffect(() => {
    const search = new URLSearchParams(location.search)
    if (search.has('setup') || search.has('reset') || !readStoredSession()) return
    const answers = search.has('invitation') ? `/root/domain${location.search}` : '/root'
    location.replace(safeNext(location.search, location.origin) ?? answers)
  }, [])
}
