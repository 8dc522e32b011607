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
