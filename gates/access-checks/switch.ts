/** What the instrumented sources ask, beside every test of a run that turns checks off. */

declare global {
  var keeperAccess: { reached: Set<string>; off: Set<string>; failures: number }
  var keeperCheckIsOff: (id: string) => boolean
  var keeperChecked: <Q>(id: string, query: Q, without: (query: Q) => Q, checked: (query: Q) => Q) => Q
  var keeperFailed: () => void
}

// One for the process: several files of tests share it, and each loads this module anew.
globalThis.keeperAccess ??= { reached: new Set(), off: new Set(), failures: 0 }
const state = globalThis.keeperAccess

globalThis.keeperCheckIsOff = (id) => {
  state.reached.add(id)
  return state.off.has(id)
}
globalThis.keeperChecked = (id, query, without, checked) =>
  globalThis.keeperCheckIsOff(id) ? without(query) : checked(query)
globalThis.keeperFailed = () => {
  state.failures += 1
}

/** The checks that were asked for, until somebody clears it. */
export const reachedSoFar = state.reached

/** How many requests ended in a failure of ours, which is no refusal. */
export const failuresOfOurs = (): number => state.failures

/** From here on these are off and all others on. */
export function turnOff(ids: readonly string[]): void {
  state.off.clear()
  for (const id of ids) state.off.add(id)
}

/** Carries out `work` with these checks off. */
export async function withoutChecks<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
  turnOff(ids)
  try {
    return await work()
  } finally {
    turnOff([])
  }
}

/** The checks that `work` came past. */
export async function checksReachedBy(work: () => Promise<unknown>): Promise<Set<string>> {
  reachedSoFar.clear()
  await work()
  return new Set(reachedSoFar)
}
