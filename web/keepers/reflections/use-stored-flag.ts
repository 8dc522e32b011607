import { useState } from 'react'
import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

/** A boolean remembered in this browser. */
export function useStoredFlag(name: 'focus' | 'prompts-hidden'): [boolean, (isOn: boolean) => void] {
  const storageKey = `keeper-journal-${name}`
  const [isOn, setIsOn] = useState(() => readSetting(storageKey) === 'yes')
  return [
    isOn,
    (next) => {
      writeSetting(storageKey, next ? 'yes' : null)
      setIsOn(next)
    },
  ]
}
