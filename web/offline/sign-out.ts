import { chatKeyPrefix } from '#web/api-token.ts'
import { getFileUploads, stopFileUploads } from './file-uploads.ts'
import { isUnsent } from './is-unsent.ts'
import { StoreClosedError } from './signed-in-user.ts'

/** Loaded on demand: if it can't load, this page never stored anything. */
const loadStoreModule = () => import('./local-store.ts')

export async function hasUnsentWork(): Promise<boolean> {
  if (getFileUploads().length > 0) return true
  const store = (await loadStoreModule().catch(() => undefined))?.getCurrentStore()
  if (!store) return false
  try {
    const [writes, drafts] = await Promise.all([store.getAll('writes'), store.getAll<{ key: string }>('drafts')])
    return writes.length > 0 || drafts.some(isUnsent)
  } catch (reason) {
    // Signed out in another tab; any other failure may hide unsent work, so ask.
    return !(reason instanceof StoreClosedError)
  }
}

export function clearUserData(person: string): void {
  stopFileUploads()
  for (const name of Object.keys(localStorage)) if (name.startsWith(chatKeyPrefix)) localStorage.removeItem(name)
  loadStoreModule().then(
    ({ destroyLocalStore }) => destroyLocalStore(person),
    () => globalThis.indexedDB?.deleteDatabase(`keeper-${person}`),
  )
}

export function forgetCachedReads(person: string): void {
  loadStoreModule().then(
    ({ forgetReads }) => forgetReads(person),
    () => undefined,
  )
}
