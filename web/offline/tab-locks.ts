const localQueue = new Map<string, Promise<unknown>>()

/** Without https browsers have no locks, but then the store is in one tab's memory anyway. */
const localLocks = {
  request<Answer>(name: string, { ifAvailable }: LockOptions, task: (lock: Lock | null) => Promise<Answer>) {
    const previous = localQueue.get(name)
    if (previous && ifAvailable) return task(null)
    const result = (previous ?? Promise.resolve()).then(() => task({ name, mode: 'exclusive' }))
    const settled = result.catch(() => undefined)
    localQueue.set(name, settled)
    void settled.then(() => localQueue.get(name) === settled && localQueue.delete(name))
    return result
  },
  query: async (): Promise<LockManagerSnapshot> => ({ held: [...localQueue.keys()].map((name) => ({ name })) }),
}
const getLocks = (): LockManager => globalThis.navigator?.locks ?? (localLocks as LockManager)

/** Runs after earlier holders of the name, in any tab. */
export function withTabLock<Answer>(name: string, task: () => Promise<Answer>): Promise<Answer> {
  return getLocks().request(name, {}, task)
}

/** Does nothing while the lock is held. */
export async function tryTabLock(name: string, task: () => Promise<void>): Promise<void> {
  await getLocks().request(name, { ifAvailable: true }, async (lock) => lock && task())
}

/** Holds the lock until the returned function is called or the tab closes. */
export async function holdTabLock(name: string): Promise<() => void> {
  const acquired = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  void getLocks().request(name, {}, () => {
    acquired.resolve()
    return released.promise
  })
  await acquired.promise
  return released.resolve
}

export async function isTabLockHeld(name: string): Promise<boolean> {
  const { held = [] } = await getLocks().query()
  return held.some((lock) => lock.name === name)
}
