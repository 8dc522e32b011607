import { chatKeyPrefix } from '#web/api-token.ts'
import { filesUnderWay, stopAllUnderWay } from './files-under-way.ts'
import { isUnsent } from './is-unsent.ts'
import { VaultClosed } from './whose-browser.ts'

/**
 * What has to happen in this browser when somebody leaves. The vault itself is fetched here and not carried by every
 * page; where it cannot be fetched nothing of this page was ever put into it.
 */
const vault = () => import('./vault.ts')

/** Whether something this person wrote here is not on the server yet. */
export async function unsentWork(): Promise<boolean> {
  if (filesUnderWay().length > 0) return true
  const own = (await vault().catch(() => undefined))?.ownVault()
  if (!own) return false
  try {
    const [writes, drafts] = await Promise.all([own.all('writes'), own.all<{ key: string }>('drafts')])
    return writes.length > 0 || drafts.some(isUnsent)
  } catch (reason) {
    // Another tab left before; what else cannot be looked into may hold something, and the person is asked before it goes.
    return !(reason instanceof VaultClosed)
  }
}

/** After sign-out: nothing of this person can be read in this browser. */
export function leaveNothing(person: string): void {
  stopAllUnderWay()
  for (const name of Object.keys(localStorage)) if (name.startsWith(chatKeyPrefix)) localStorage.removeItem(name)
  vault().then(
    ({ destroyVault }) => destroyVault(person),
    () => globalThis.indexedDB?.deleteDatabase(`keeper-${person}`),
  )
}

/** The server ended the session: what was read goes, what waits to be sent waits for the person to come back. */
export function forgetWhatWasRead(person: string): void {
  vault().then(
    ({ forgetReads }) => forgetReads(person),
    () => undefined,
  )
}
