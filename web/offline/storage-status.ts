interface StorageStatus {
  /** ISO time of the oldest cached answer shown since the server was last reached; null if all data is fresh. */
  oldestReadAt: string | null
  /** False where this browser can't store anything beyond this page. */
  isPersistent: boolean
}

let status: StorageStatus = { oldestReadAt: null, isPersistent: true }
const listeners = new Set<() => void>()

/** Separate from the store, so that the shell needn't load it. */
export const getStorageStatus = (): StorageStatus => status

export function onStorageStatusChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function recordCachedRead(at: string): void {
  if (status.oldestReadAt === null || at < status.oldestReadAt) updateStatus({ oldestReadAt: at })
}

/** All data is being refetched. */
export function recordFreshReads(): void {
  if (status.oldestReadAt !== null) updateStatus({ oldestReadAt: null })
}

export function recordStorageUnavailable(): void {
  updateStatus({ isPersistent: false })
}

function updateStatus(changes: Partial<StorageStatus>): void {
  status = { ...status, ...changes }
  for (const listener of listeners) listener()
}
