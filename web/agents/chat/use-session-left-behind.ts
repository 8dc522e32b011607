import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

/**
 * Whoever signs in or out, here or in another tab, has nothing of the conversation before: its session leaves the
 * address. True until it has, so that nobody asks for it. `signedIn` is undefined until it is known.
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
