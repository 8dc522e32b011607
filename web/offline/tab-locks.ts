/* Locks among tabs. Without https browsers have no locks, but then the store is in one tab's memory anyway. */
const getLockManager = () => globalThis.navigator?.locks as LockManager | undefined
const localQueue = new Map<string, Promise<unknown>>()
const localLocks = new Set<string>()

/** Runs after earlier holders of the name, in any tab. */
export async function withTabLock<Answer>(name: string, task: () => Promise<Answer>): Promise<Answer> {
  const lockManager = getLockManager()
  if (lockManager) return lockManager.request(name, task)
  const result = (localQueue.get(name) ?? Promise.resolve()).then(task)
  const settled = result.catch(() => undefined)
  localQueue.set(name, settled)
  void settled.then(() => localQueue.get(name) === settled && localQueue.delete(name))
  return result
}

export async function tryTabLock(name: string, task: () => Promise<void>): Promise<void> {
  const lockManager = getLockManager()
  if (lockManager)
    return lockManager.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await task()
    })
  if (!localQueue.has(name)) await withTabLock(name, task)
}

/** Holds the lock until the returned function is called or the tab closes. */
export async function holdTabLock(name: string): Promise<() => void> {
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const lockManager = getLockManager()
  if (lockManager) {
    const acquired = Promise.withResolvers<void>()
    void lockManager.request(name, () => {
      acquired.resolve()
      return promise
    })
    await acquired.promise
  } else {
    localLocks.add(name)
    void promise.then(() => localLocks.delete(name))
  }
  return release
}

export async function isTabLockHeld(name: string): Promise<boolean> {
  const { held: heldLocks = [...localLocks].map((lockName) => ({ name: lockName })) } =
    (await getLockManager()?.query()) ?? {}
  return heldLocks.some((lock) => lock.name === name)
}
