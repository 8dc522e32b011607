/** What the instrumented sources ask, beside every test of a run that turns checks off. */

const reached = new Set<string>()
const off = new Set<string>()

declare global {
  var keeperCheckIsOff: (id: string) => boolean
  var keeperChecked: <Q>(id: string, query: Q, without: (query: Q) => Q, checked: (query: Q) => Q) => Q
}

globalThis.keeperCheckIsOff = (id) => {
  reached.add(id)
  return off.has(id)
}
globalThis.keeperChecked = (id, query, without, checked) =>
  globalThis.keeperCheckIsOff(id) ? without(query) : checked(query)

/** Carries out `work` with these checks off. */
export async function withoutChecks<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
  off.clear()
  for (const id of ids) off.add(id)
  try {
    return await work()
  } finally {
    off.clear()
  }
}

/** The checks that `work` came past. */
export async function checksReachedBy(work: () => Promise<unknown>): Promise<Set<string>> {
  reached.clear()
  await work()
  return new Set(reached)
}

/** For a whole file of tests: from the first line to the last. */
export const everReached: ReadonlySet<string> = reached
export const turnOffForGood = (id: string): void => void off.add(id)
