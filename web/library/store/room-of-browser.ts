export interface Room {
  /** Bytes of everything this browser keeps of this address. */
  used: number
  quota: number
  /** Whether the browser has promised not to clear them by itself when the disk is full. */
  isPersistent: boolean
}

/** Null where the browser does not say (an address without https). */
export async function roomOfBrowser(): Promise<Room | null> {
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

/** Some browsers ask the person, so this waits until there is something to keep. */
export async function askToPersist(): Promise<void> {
  try {
    if (!(await navigator.storage.persisted())) await navigator.storage.persist()
  } catch {
    // Nothing to ask: they are kept as long as the browser likes.
  }
}

/** The disk is full, or this address may take no more of it. */
export function isFull(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'QuotaExceededError'
}
