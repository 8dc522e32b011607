import { useSyncExternalStore } from 'react'

const phone = '(width <= 860px)'
const middle = '(width <= 1100px)'

/** Whether the stylesheet's `phone:` breakpoint matches now. */
export const isPhone = (): boolean => matchMedia(phone).matches

/** Viewport class that decides how many panels fit next to the canvas. */
export function useWidth(): 'phone' | 'middle' | 'wide' {
  return useSyncExternalStore(listen, () => (isPhone() ? 'phone' : matchMedia(middle).matches ? 'middle' : 'wide'))
}

function listen(changed: () => void): () => void {
  const queries = [matchMedia(phone), matchMedia(middle)]
  for (const query of queries) query.addEventListener('change', changed)
  return () => {
    for (const query of queries) query.removeEventListener('change', changed)
  }
}
