import { chatKeyPrefix } from '#web/api-token.ts'
import { filesUnderWay, stopAllUnderWay } from './files-under-way.ts'
import { isUnsent } from './is-unsent.ts'
import { VaultClosed } from './whose-browser.ts'

/** Loaded on demand: if it can't load, this page never stored anything. */
const vault = () => import('./vault.ts')

/** Whether this browser has work that the server lacks. */
export async function unsentWork(): Promise<boolean> {
  if (filesUnderWay().length > 0) return true
  const own = (await vault().catch(() => undefined))?.ownVault()
  if (!own) return false
  try {
    const [writes, drafts] = await Promise.all([own.all('writes'), own.all<{ key: string }>('drafts')])
    return writes.length > 0 || drafts.some(isUnsent)
  } catch (reason) {
    // Signed out in another tab; any other failure may hide unsent work, so ask.
    return !(reason instanceof VaultClosed)
  }
}

/** After sign-out nothing of this person is readable in this browser. */
export function leaveNothing(person: string): void {
  stopAllUnderWay()
  for (const name of Object.keys(localStorage)) if (name.startsWith(chatKeyPrefix)) localStorage.removeItem(name)
  vault().then(
    ({ destroyVault }) => destroyVault(person),
    () => globalThis.indexedDB?.deleteDatabase(`keeper-${person}`),
  )
}

/** The server ended the session: cached reads go, unsent work stays. */
export function forgetWhatWasRead(person: string): void {
  vault().then(
    ({ forgetReads }) => forgetReads(person),
    () => undefined,
  )
}
