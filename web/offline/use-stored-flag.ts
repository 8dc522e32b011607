import { useState } from 'react'
import { readSetting, writeSetting } from './browser-memory.ts'

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
