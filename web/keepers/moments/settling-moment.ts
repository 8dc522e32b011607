import { useState } from 'react'

let settlingMomentId: string | undefined

/** A moment just added settles: it slides into the lists that show it, once. */
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
