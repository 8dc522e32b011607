import { Listeners } from '#contract/listeners.ts'
import { chatKeyPrefix } from '#web/api/api-token.ts'
import { destroyLocalStore, getCurrentStore } from './local-store.ts'
import { StoreClosedError } from './signed-in-user.ts'

/** Starts the keys of drafts that the server already has. */
export const sentDraftPrefix = 'asked/'

export const isUnsent = ({ key }: { key: string }): boolean => !key.startsWith(sentDraftPrefix)

export async function hasUnsentWork(): Promise<boolean> {
  if (uploads.length > 0) return true
  const store = getCurrentStore()
  if (!store) return false
  try {
    const [writes, drafts] = await Promise.all([store.getAll('writes'), store.getAll<{ key: string }>('drafts')])
    return writes.length > 0 || drafts.some(isUnsent)
  } catch (reason) {
    // Signed out in another tab; any other failure may hide unsent work, so ask.
    return !(reason instanceof StoreClosedError)
  }
}

export function clearUserData(userId: string): void {
  for (const { stop } of uploads) stop()
  for (const name of Object.keys(localStorage)) if (name.startsWith(chatKeyPrefix)) localStorage.removeItem(name)
  void destroyLocalStore(userId)
}

interface FileUpload {
  name: string
  stop: () => void
}

let uploads: readonly FileUpload[] = []
const uploadListeners = new Listeners()

export const getFileUploads = (): readonly FileUpload[] => uploads

export const onFileUploadsChange = uploadListeners.add

/** The browser asks before closing the page until the returned function is called. */
export function registerFileUpload(upload: FileUpload): () => void {
  setUploads([...uploads, upload])
  return () => setUploads(uploads.filter((other) => other !== upload))
}

const preventUnload = (event: Event) => event.preventDefault()

function setUploads(next: readonly FileUpload[]): void {
  uploads = next
  if (uploads.length > 0) globalThis.addEventListener?.('beforeunload', preventUnload)
  else globalThis.removeEventListener?.('beforeunload', preventUnload)
  uploadListeners.notify()
}
