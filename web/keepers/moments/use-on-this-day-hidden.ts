import { useState } from 'react'

const key = 'keeper-on-this-day-hidden'

/** Whether On this day was put away in this browser, on every page that shows it. */
export function useOnThisDayHidden(): [hidden: boolean, hide: (yes: boolean) => void] {
  const [hidden, setHidden] = useState(() => localStorage.getItem(key) === 'yes')
  function hide(yes: boolean) {
    if (yes) localStorage.setItem(key, 'yes')
    else localStorage.removeItem(key)
    setHidden(yes)
  }
  return [hidden, hide]
}
