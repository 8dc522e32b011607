/*
 * Turns among the tabs of this browser. At an address without https browsers have no locks; what a vault has there lies in
 * the memory of one tab, so that turns within it are enough.
 */
const locks = () => globalThis.navigator?.locks as LockManager | undefined
const last = new Map<string, Promise<unknown>>()
const here = new Set<string>()

/** Does it when whoever asked earlier under this name is done, in whichever tab. */
export async function inTurn<Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> {
  const everywhere = locks()
  if (everywhere) return everywhere.request(name, work)
  const mine = (last.get(name) ?? Promise.resolve()).then(work)
  const over = mine.catch(() => undefined)
  last.set(name, over)
  void over.then(() => last.get(name) === over && last.delete(name))
  return mine
}

/** Does it unless somebody is at something under this name. */
export async function unlessUnderWay(name: string, work: () => Promise<void>): Promise<void> {
  const everywhere = locks()
  if (everywhere)
    return everywhere.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await work()
    })
  if (!last.has(name)) await inTurn(name, work)
}

/** Says to all tabs that this one has something, until what it answers is called or the tab is closed. */
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

/** Whether some tab says so. */
export async function isSomewhere(name: string): Promise<boolean> {
  const { held = [...here].map((mine) => ({ name: mine })) } = (await locks()?.query()) ?? {}
  return held.some((lock) => lock.name === name)
}
