import { useState } from 'react'
import { recall, remember } from '#web/browser-memory.ts'

const key = 'keeper-on-this-day-hidden'

/** Whether On this day was put away in this browser, on every page that shows it. */
export function useOnThisDayHidden(): [hidden: boolean, hide: (yes: boolean) => void] {
  const [hidden, setHidden] = useState(() => recall(key) === 'yes')
  function hide(yes: boolean) {
    remember(key, yes ? 'yes' : null)
    setHidden(yes)
  }
  return [hidden, hide]
}
