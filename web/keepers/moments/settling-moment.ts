import { useState } from 'react'

let settlingMomentId: string | undefined

/** A new moment settles: it slides once into each list that shows it. */
export function markSettling(momentId: string): void {
  settlingMomentId = momentId
}

export function clearSettling(): void {
  settlingMomentId = undefined
}

/** Keeps its first value, so that a render during the animation doesn't end it. */
export function useIsSettling(momentId: string | undefined): boolean {
  const [isSettling] = useState(() => momentId !== undefined && settlingMomentId === momentId)
  return isSettling
}
