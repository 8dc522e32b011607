import { tokenKey, userKey } from '#web/api-token.ts'

/** The person signed in in this browser, also as another tab left it. */
export function whoseBrowser(): string | null {
  try {
    if (!localStorage.getItem(tokenKey)) return null
    const user = JSON.parse(localStorage.getItem(userKey) ?? 'null') as { id?: unknown } | null
    return typeof user?.id === 'string' ? user.id : null
  } catch {
    return null
  }
}

/** Whoever a vault belongs to is not signed in here any more. */
export class VaultClosed extends Error {
  override name = 'VaultClosed'
}

let whosePage: string | null = null

const signedInAgainListeners = new Set<() => void>()

/** Notified when the person of this page has signed in again without leaving it. */
export function onSignedInAgain(listener: () => void): () => void {
  signedInAgainListeners.add(listener)
  return () => signedInAgainListeners.delete(listener)
}

export function notifySignedInAgain(): void {
  for (const listener of signedInAgainListeners) listener()
}

/** Also while the browser has lost the session, and its person is about to sign in again on this page. */
export function whosePageOrBrowser(): string | null {
  return whoseBrowser() ?? whosePage
}

/** Said by the page whenever somebody comes or goes in it. */
export function pageBelongsTo(person: string | null): void {
  whosePage = person
}

/**
 * A page does not hear at once that somebody else signed in in another tab, and a call takes the token that is there.
 * @throws VaultClosed when what was written here would go out in their name
 */
export function requireOwnPage(): void {
  const present = whoseBrowser()
  if (whosePage !== null && present !== null && present !== whosePage)
    throw new VaultClosed('Somebody else is signed in in this browser now. This was not sent.')
}

/** The vault of whoever is signed in; no page carries its code. `null`: nobody is, or it could not be fetched. */
export async function ownVaultLater() {
  return import('./vault.ts').then(
    ({ ownVault }) => ownVault(),
    () => null,
  )
}

/** Their queue, alike. */
export async function ownQueueLater() {
  return import('./write-queue.ts').then(
    ({ ownQueue }) => ownQueue(),
    () => null,
  )
}
