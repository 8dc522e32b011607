import { useState } from 'react'
import { recall, remember } from '#web/browser-memory.ts'

/** A boolean remembered in this browser. */
export function useStoredFlag(name: 'focus' | 'prompts-hidden'): [boolean, (isOn: boolean) => void] {
  const storageKey = `keeper-journal-${name}`
  const [isOn, setIsOn] = useState(() => recall(storageKey) === 'yes')
  return [
    isOn,
    (next) => {
      remember(storageKey, next ? 'yes' : null)
      setIsOn(next)
    },
  ]
}
