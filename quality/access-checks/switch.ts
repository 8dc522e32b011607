declare global {
  var keeperAccess: { reached: Set<string>; off: Set<string>; failures: number }
  var keeperCheckIsOff: (id: string) => boolean
  var keeperChecked: <Q>(id: string, query: Q, without: (query: Q) => Q, checked: (query: Q) => Q) => Q
  var keeperFailed: () => void
}

// Process-wide, because several test files share it and each loads this module.
globalThis.keeperAccess ??= { reached: new Set(), off: new Set(), failures: 0 }
const accessState = globalThis.keeperAccess

globalThis.keeperCheckIsOff = (id) => {
  accessState.reached.add(id)
  return accessState.off.has(id)
}
globalThis.keeperChecked = (id, query, without, checked) =>
  globalThis.keeperCheckIsOff(id) ? without(query) : checked(query)
globalThis.keeperFailed = () => {
  accessState.failures += 1
}

export const reachedChecks = accessState.reached

/** Number of internal errors, which aren't refusals. */
export const getFailureCount = (): number => accessState.failures

export function disableChecks(ids: readonly string[]): void {
  accessState.off.clear()
  for (const id of ids) accessState.off.add(id)
}

export async function runWithoutChecks<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
  disableChecks(ids)
  try {
    return await work()
  } finally {
    disableChecks([])
  }
}

export async function findReachedChecks(work: () => Promise<unknown>): Promise<Set<string>> {
  reachedChecks.clear()
  await work()
  return new Set(reachedChecks)
}
