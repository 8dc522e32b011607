import { useEffect, useSyncExternalStore } from 'react'

export interface Crumb {
  title: string
  /** A step below the place of the address, which then is a link; else it stands in that place's stead. */
  below?: boolean
}

let present: Crumb | undefined
const listeners = new Set<() => void>()

function set(next: Crumb | undefined) {
  present = next
  for (const listener of listeners) listener()
}

/** Names what the open page shows, where its address alone says too little: a new agent, one with a name. */
export function useCrumb(title: string | undefined, below = false): void {
  useEffect(() => {
    if (!title) return
    set({ title, below })
    return () => set(undefined)
  }, [title, below])
}

/** For the breadcrumbs. */
export function usePresentCrumb(): Crumb | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => present,
  )
}
