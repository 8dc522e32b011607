import { useState } from 'react'
import { recall, remember } from '#web/browser-memory.ts'

const key = 'keeper-on-this-day-hidden'

export function useOnThisDayHidden(): [hidden: boolean, hide: (yes: boolean) => void] {
  const [hidden, setHidden] = useState(() => recall(key) === 'yes')
  function hide(yes: boolean) {
    remember(key, yes ? 'yes' : null)
    setHidden(yes)
  }
  return [hidden, hide]
}
