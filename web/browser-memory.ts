/** Values that this browser could not store: they last for this visit. */
const thisVisit = new Map<string, string | null>()

/** A stored setting of this browser, or `null`. */
export function recall(key: string): string | null {
  const sessionValue = thisVisit.get(key)
  if (sessionValue !== undefined) return sessionValue
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** `null` removes it. Never throws: where storage fails, the value lasts for this visit. */
export function remember(key: string, value: string | null): void {
  thisVisit.delete(key)
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    thisVisit.set(key, value)
  }
}
