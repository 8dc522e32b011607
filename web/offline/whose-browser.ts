import { tokenKey, userKey } from '#web/api-token.ts'

/** Reads local storage, so sign-ins in other tabs count. */
export function whoseBrowser(): string | null {
  try {
    if (!localStorage.getItem(tokenKey)) return null
    const user = JSON.parse(localStorage.getItem(userKey) ?? 'null') as { id?: unknown } | null
    return typeof user?.id === 'string' ? user.id : null
  } catch {
    return null
  }
}

/** The owner of the data is no longer signed in. */
export class VaultClosed extends Error {
  override name = 'VaultClosed'
}

let whosePage: string | null = null

const signedInAgainListeners = new Set<() => void>()

/** The page's owner signed in again without leaving it. */
export function onSignedInAgain(listener: () => void): () => void {
  signedInAgainListeners.add(listener)
  return () => signedInAgainListeners.delete(listener)
}

export function notifySignedInAgain(): void {
  for (const listener of signedInAgainListeners) listener()
}

/** Falls back to the page's owner while the session is lost. */
export function whosePageOrBrowser(): string | null {
  return whoseBrowser() ?? whosePage
}

/** Called by the page on sign-in and sign-out. */
export function pageBelongsTo(person: string | null): void {
  whosePage = person
}

/**
 * Another tab may have signed someone else in, and calls use the current token.
 * @throws StoreClosedError if this page's work would be sent under their name
 */
export function requireOwnPage(): void {
  const present = whoseBrowser()
  if (whosePage !== null && present !== null && present !== whosePage)
    throw new VaultClosed('Someone else is now signed in in this browser. This wasn’t sent.')
}

/** Loads the code on demand; null if signed out or it can't load. */
export async function ownVaultLater() {
  return import('./vault.ts').then(
    ({ ownVault }) => ownVault(),
    () => null,
  )
}

export async function ownQueueLater() {
  return import('./write-queue.ts').then(
    ({ ownQueue }) => ownQueue(),
    () => null,
  )
}
