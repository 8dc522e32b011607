import { useState } from 'react'
import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

const storageKey = 'keeper-on-this-day-hidden'

export function useOnThisDayHidden(): [isHidden: boolean, setHidden: (shouldHide: boolean) => void] {
  const [isHidden, setIsHidden] = useState(() => readSetting(storageKey) === 'yes')
  function setHidden(shouldHide: boolean) {
    writeSetting(storageKey, shouldHide ? 'yes' : null)
    setIsHidden(shouldHide)
  }
  return [isHidden, setHidden]
}
