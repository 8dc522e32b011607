import { useState } from 'react'
import { recall, remember } from '#web/browser-memory.ts'

const key = 'keeper-on-this-day-hidden'

export function useOnThisDayHidden(): [isHidden: boolean, setHidden: (shouldHide: boolean) => void] {
  const [isHidden, setIsHidden] = useState(() => recall(key) === 'yes')
  function setHidden(shouldHide: boolean) {
    remember(key, shouldHide ? 'yes' : null)
    setIsHidden(shouldHide)
  }
  return [isHidden, setHidden]
}
