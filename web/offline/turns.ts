/* Locks among tabs. Without https browsers have no locks, but then the store is in one tab's memory anyway. */
const locks = () => globalThis.navigator?.locks as LockManager | undefined
const last = new Map<string, Promise<unknown>>()
const here = new Set<string>()

/** Runs after earlier holders of the name, in any tab. */
export async function inTurn<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
  const everywhere = locks()
  if (everywhere) return everywhere.request(name, work)
  const mine = (last.get(name) ?? Promise.resolve()).then(work)
  const over = mine.catch(() => undefined)
  last.set(name, over)
  void over.then(() => last.get(name) === over && last.delete(name))
  return mine
}

/** Skips the work if the name is locked. */
export async function unlessUnderWay(name: string, work: () => Promise<void>): Promise<void> {
  const everywhere = locks()
  if (everywhere)
    return everywhere.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await work()
    })
  if (!last.has(name)) await inTurn(name, work)
}

/** Holds the lock until the returned function is called or the tab closes. */
export async function sayHere(name: string): Promise<() => void> {
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const everywhere = locks()
  if (everywhere) {
    const held = Promise.withResolvers<void>()
    void everywhere.request(name, () => {
      held.resolve()
      return promise
    })
    await held.promise
  } else {
    here.add(name)
    void promise.then(() => here.delete(name))
  }
  return letGo
}

/** Whether any tab holds it. */
export async function isSomewhere(name: string): Promise<boolean> {
  const { held = [...here].map((mine) => ({ name: mine })) } = (await locks()?.query()) ?? {}
  return held.some((lock) => lock.name === name)
}
