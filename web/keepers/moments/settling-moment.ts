import { useState } from 'react'

let settlingMomentId: string | undefined

/** Lists that show this moment let it settle in, until it has. */
export function markSettling(momentId: string): void {
  settlingMomentId = momentId
}

export function clearSettling(): void {
  settlingMomentId = undefined
}

/** True if the moment was just written here. */
export function useIsSettling(momentId: string | undefined): boolean {
  const [isSettling] = useState(() => momentId !== undefined && settlingMomentId === momentId)
  return isSettling
}
