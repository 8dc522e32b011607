import { use } from 'react'
import { getCurrentStore } from '#web/offline/local-store.ts'
import { getPageUserId, getSignedInUserId, onSignedInAgain } from '#web/offline/signed-in-user.ts'
import { DraftStore, listDrafts } from '#web/offline/use-draft.ts'

export interface StoredDraft<Value> {
  read(): Value | undefined
  write(value: Value): void
  clear(): void
}

/** Encrypted drafts of the signed-in user, by user id and name. */
const draftStores = new Map<string, DraftStore<unknown>>()

/** Limit for opening the store, so that it can't block a page (ms). */
const maxOpenMs = 1000

/** Drafts under `asked/` were already sent, so nothing warns about losing them. */
const getDraftKey = (name: string) => (name.startsWith('asked/') ? name : `kept/${name}`)

function getDraftStore(userId: string, name: string): DraftStore<unknown> {
  const existing = draftStores.get(`${userId} ${name}`)
  if (existing) return existing
  const draftStore = new DraftStore<unknown>(getDraftKey(name))
  draftStores.set(`${userId} ${name}`, draftStore)
  addEventListener('pagehide', draftStore.saveOnUnload)
  onSignedInAgain(draftStore.rewriteStored)
  return draftStore
}

async function decryptDrafts(userId: string): Promise<void> {
  const store = getCurrentStore()
  if (store?.person !== userId) return
  const { newest } = await listDrafts(store)
  const names = newest.flatMap(({ key }) => (/^(asked|kept)\//.test(key) ? [key.replace('kept/', '')] : []))
  await Promise.all(names.map((name) => getDraftStore(userId, name).open()))
}

const initialUserId = getSignedInUserId()
const decryptionPromise =
  initialUserId !== null &&
  Promise.race([
    decryptDrafts(initialUserId).catch(() => undefined),
    new Promise<void>((resolve) => setTimeout(resolve, maxOpenMs)),
  ])

/** Suspends until drafts are decrypted: a top-level await would split every page's bundle. */
export function useDecryptedDrafts(): void {
  if (decryptionPromise) use(decryptionPromise)
}

/** Signed out, uses session storage; where that is blocked there is no draft. */
export function createStoredDraft<Value>(
  name: string,
  isValue: (value: unknown) => value is Value,
  storage: () => Storage = () => sessionStorage,
): StoredDraft<Value> {
  const userId = getPageUserId()
  if (userId !== null) {
    const draftStore = getDraftStore(userId, name)
    return {
      read() {
        const { value } = draftStore.takeSnapshot()
        return isValue(value) ? value : undefined
      },
      write: (value) => ((value as unknown) === '' ? void draftStore.clear() : draftStore.set(value)),
      clear: () => void draftStore.clear(),
    }
  }
  const key = `keeper-draft-${name}`
  return {
    read() {
      try {
        const value: unknown = JSON.parse(storage().getItem(key) ?? 'null')
        return isValue(value) ? value : undefined
      } catch {
        return undefined
      }
    },
    write(value) {
      try {
        storage().setItem(key, JSON.stringify(value))
      } catch {}
    },
    clear() {
      try {
        storage().removeItem(key)
      } catch {}
    },
  }
}
