/** What this browser had no room for, or would not keep: it holds for this visit. */
const thisVisit = new Map<string, string | null>()

/** What this browser remembers of how somebody set it up; `null`: nothing. */
export function recall(key: string): string | null {
  const held = thisVisit.get(key)
  if (held !== undefined) return held
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** `null` forgets it. A switch works also where nothing can be written: no caller has to expect that. */
export function remember(key: string, value: string | null): void {
  thisVisit.delete(key)
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    thisVisit.set(key, value)
  }
}
