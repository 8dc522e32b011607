import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

/**
 * Removes the previous user's session from the URL after a sign-in or sign-out. True until it is removed; `signedIn` is
 * undefined while unknown.
 */
export function useSessionLeftBehind(signedIn: boolean | undefined): boolean {
  const [params, setParams] = useSearchParams()
  const [before, setBefore] = useState<boolean>()
  const hasChanged = before !== undefined && signedIn !== undefined && before !== signedIn
  const isInAddress = params.has('sessionId')

  useEffect(() => {
    if (!hasChanged || !isInAddress) return setBefore(signedIn)
    setParams(
      (present) => {
        const next = new URLSearchParams(present)
        next.delete('sessionId')
        return next
      },
      { replace: true },
    )
  }, [signedIn, hasChanged, isInAddress, setParams])
  return hasChanged
}
