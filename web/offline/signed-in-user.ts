import { Listeners } from '#contract/listeners.ts'
import { tokenKey, userKey } from '#web/api/api-token.ts'

/** Reads local storage, so sign-ins in other tabs count. */
export function getSignedInUserId(): string | null {
  try {
    if (!localStorage.getItem(tokenKey)) return null
    const user = JSON.parse(localStorage.getItem(userKey) ?? 'null') as { id?: unknown } | null
    return typeof user?.id === 'string' ? user.id : null
  } catch {
    return null
  }
}

/** The owner of the data is no longer signed in. */
export class StoreClosedError extends Error {
  override name = 'VaultClosed'
}

let pageOwnerId: string | null = null

const signedInAgainListeners = new Listeners()

/** The page's owner signed in again without leaving it. */
export const onSignedInAgain = signedInAgainListeners.add
export const notifySignedInAgain = signedInAgainListeners.notify

/** Falls back to the page's owner while the session is lost. */
export function getPageUserId(): string | null {
  return getSignedInUserId() ?? pageOwnerId
}

export function setPageOwner(userId: string | null): void {
  pageOwnerId = userId
}

/** @throws StoreClosedError if another tab signed someone else in, under whose name calls would be sent */
export function requirePageOwner(): void {
  const signedInId = getSignedInUserId()
  if (pageOwnerId !== null && signedInId !== null && signedInId !== pageOwnerId)
    throw new StoreClosedError('Someone else is now signed in to this browser, so your change wasn’t sent.')
}
