import { useState } from 'react'
import { recall, remember } from '#web/browser-memory.ts'

/** A boolean remembered in this browser. */
export function useRemembered(name: 'focus' | 'prompts-hidden'): [boolean, (yes: boolean) => void] {
  const place = `keeper-journal-${name}`
  const [yes, setYes] = useState(() => recall(place) === 'yes')
  return [
    yes,
    (next) => {
      remember(place, next ? 'yes' : null)
      setYes(next)
    },
  ]
}
