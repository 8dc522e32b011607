export interface StorageSpace {
  /** Bytes. */
  used: number
  /** Bytes. */
  quota: number
  /** Whether the browser promised not to evict the data. */
  isPersistent: boolean
}

/** Null where the browser has no estimate (no https). */
export async function getStorageSpace(): Promise<StorageSpace | null> {
  try {
    const [{ usage = 0, quota = 0 }, isPersistent] = await Promise.all([
      navigator.storage.estimate(),
      navigator.storage.persisted(),
    ])
    return quota > 0 ? { used: usage, quota, isPersistent } : null
  } catch {
    return null
  }
}

/** Some browsers prompt for this, so call it only when there is something to store. */
export async function requestPersistence(): Promise<void> {
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist()
  } catch {
    // Unsupported: the data stays as long as the browser decides.
  }
}

/** Hex; null without crypto.subtle (no https). */
export async function computeSha256(blob: Blob): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null
  const hash = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
