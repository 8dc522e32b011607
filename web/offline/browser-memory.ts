import { useState } from 'react'

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

/** A boolean remembered in this browser. */
export function useStoredFlag(key: string): [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(() => readSetting(key) === 'yes')
  return [
    isOn,
    (next) => {
      writeSetting(key, next ? 'yes' : null)
      setIsOn(next)
    },
  ]
}

export type ListLayout = 'cards' | 'list'

export const listLayoutOptions: { value: ListLayout; label: string }[] = [
  { value: 'cards', label: 'Cards' },
  { value: 'list', label: 'List' },
]

/** The layout of a list, remembered in this browser. */
export function useListLayout(key: string): [ListLayout, (layout: ListLayout) => void] {
  const [layout, setLayout] = useState<ListLayout>(() => (readSetting(key) === 'list' ? 'list' : 'cards'))
  return [
    layout,
    (next) => {
      writeSetting(key, next)
      setLayout(next)
    },
  ]
}
