import { useSyncExternalStore } from 'react'

const phone = '(width <= 860px)'
/** The boards go into a drawer, so that the canvas stays wide. */
const middle = '(width <= 1100px)'

/** Whether the breakpoint `phone:` of the stylesheet holds, at this moment. */
export const isPhone = (): boolean => matchMedia(phone).matches

/** How much room there is for panels beside the canvas. */
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
