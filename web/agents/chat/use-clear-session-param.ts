import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

/** True until the previous user's session is removed from the URL; `signedIn` is undefined while unknown. */
export function useClearSessionParam(signedIn: boolean | undefined): boolean {
  const [params, setParams] = useSearchParams()
  const [previousSignedIn, setPreviousSignedIn] = useState<boolean>()
  const hasChanged = previousSignedIn !== undefined && signedIn !== undefined && previousSignedIn !== signedIn
  const isInAddress = params.has('sessionId')

  useEffect(() => {
    if (!hasChanged || !isInAddress) return setPreviousSignedIn(signedIn)
    setParams(
      (currentParams) => {
        const next = new URLSearchParams(currentParams)
        next.delete('sessionId')
        return next
      },
      { replace: true },
    )
  }, [signedIn, hasChanged, isInAddress, setParams])
  return hasChanged
}
