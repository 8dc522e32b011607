/** Values that this browser could not store: they last for this visit. */
const unsavedSettings = new Map<string, string | null>()

/** `sessionStorage` is that of this tab. */
type SettingStorage = 'localStorage' | 'sessionStorage'

/** A stored setting of this browser, or `null`. */
export function readSetting(key: string, storage: SettingStorage = 'localStorage'): string | null {
  const sessionValue = unsavedSettings.get(key)
  if (sessionValue !== undefined) return sessionValue
  try {
    return globalThis[storage].getItem(key)
  } catch {
    return null
  }
}

/** `null` removes it. Never throws: where storage fails, the value lasts for this visit. */
export function writeSetting(key: string, value: string | null, storage: SettingStorage = 'localStorage'): void {
  unsavedSettings.delete(key)
  try {
    if (value === null) globalThis[storage].removeItem(key)
    else globalThis[storage].setItem(key, value)
  } catch {
    unsavedSettings.set(key, value)
  }
}
