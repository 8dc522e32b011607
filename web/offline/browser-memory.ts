/** Values that this browser could not store: they last for this visit. */
const unsavedSettings = new Map<string, string | null>()

/** A stored setting of this browser, or `null`. */
export function readSetting(key: string): string | null {
  const sessionValue = unsavedSettings.get(key)
  if (sessionValue !== undefined) return sessionValue
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** `null` removes it. Never throws: where storage fails, the value lasts for this visit. */
export function writeSetting(key: string, value: string | null): void {
  unsavedSettings.delete(key)
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    unsavedSettings.set(key, value)
  }
}
