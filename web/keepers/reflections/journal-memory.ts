import { useState } from 'react'

/** Yes or no, remembered in this browser. */
export function useRemembered(name: 'focus' | 'prompts-hidden'): [boolean, (yes: boolean) => void] {
  const place = `keeper-journal-${name}`
  const [yes, setYes] = useState(() => localStorage.getItem(place) === 'yes')
  return [
    yes,
    (next) => {
      if (next) localStorage.setItem(place, 'yes')
      else localStorage.removeItem(place)
      setYes(next)
    },
  ]
}
