import { useSyncExternalStore } from 'react'

const phoneQuery = '(width <= 860px)'
const mediumQuery = '(width <= 1100px)'

/** Whether the stylesheet's `phone:` breakpoint matches now. */
export const isPhone = (): boolean => matchMedia(phoneQuery).matches

export function useViewportClass(): 'phone' | 'middle' | 'wide' {
  return useSyncExternalStore(subscribe, getViewportClass)
}

function getViewportClass() {
  if (isPhone()) return 'phone'
  return matchMedia(mediumQuery).matches ? 'middle' : 'wide'
}

function subscribe(onChange: () => void): () => void {
  const queries = [matchMedia(phoneQuery), matchMedia(mediumQuery)]
  for (const query of queries) query.addEventListener('change', onChange)
  return () => {
    for (const query of queries) query.removeEventListener('change', onChange)
  }
}
