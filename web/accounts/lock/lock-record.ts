const recordKey = 'keeper-lock'

/** The state of the lock in this browser, shared by its tabs. */
export interface LockRecord {
  /** User id. */
  person: string
  minutes: number
  /** The last input in any tab (epoch ms). */
  activeAt: number
  isLocked: boolean
  hasPin: boolean
  hasPassword: boolean
  hasPasskey: boolean
  /** Wrong tries without the server. */
  wrongTries: number
  /** Checks the PIN without the server. */
  verifier?: { salt: string; hash: string } | undefined
}

export function readLockRecord(): LockRecord | null {
  try {
    return JSON.parse(localStorage.getItem(recordKey) ?? 'null') as LockRecord | null
  } catch {
    return null
  }
}

export function writeLockRecord(record: LockRecord | null): void {
  try {
    if (record) localStorage.setItem(recordKey, JSON.stringify(record))
    else localStorage.removeItem(recordKey)
  } catch {
    // Storage is blocked: the lock covers this tab only.
  }
}

/** Also true if no page was open while the time passed. A clock set back by `minutes` or more locks at once. */
export const isLockDue = ({ isLocked, activeAt, minutes }: LockRecord): boolean =>
  isLocked || Math.abs(Date.now() - activeAt) >= minutes * 60_000

export function isLockDueAtStart(): boolean {
  const record = readLockRecord()
  return record !== null && isLockDue(record)
}
