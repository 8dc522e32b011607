import { useEffect, useSyncExternalStore } from 'react'

export interface Crumb {
  title: string
  /** A step below the place of the address, which then is a link; else it stands in that place's stead. */
  below?: boolean
}

let present: Crumb | undefined
let presentAbove: { title: string; to: string } | undefined
const listeners = new Set<() => void>()

function set(next: Crumb | undefined) {
  present = next
  tell()
}

function tell() {
  for (const listener of listeners) listener()
}

function listen(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Names what the open page shows, where its address alone says too little: a new agent, one with a name. */
export function useCrumb(title: string | undefined, below = false): void {
  useEffect(() => {
    if (!title) return
    set({ title, below })
    return () => set(undefined)
  }, [title, below])
}

/** Names what the open page belongs to, between the area and the page: a keeper. */
export function useCrumbAbove(title: string, to: string): void {
  useEffect(() => {
    presentAbove = { title, to }
    tell()
    return () => {
      presentAbove = undefined
      tell()
    }
  }, [title, to])
}

/** For the breadcrumbs. */
export function usePresentCrumbAbove(): { title: string; to: string } | undefined {
  return useSyncExternalStore(listen, () => presentAbove)
}

/** For the breadcrumbs. */
export function usePresentCrumb(): Crumb | undefined {
  return useSyncExternalStore(listen, () => present)
}
