import { useEffect, useSyncExternalStore } from 'react'

export interface Crumb {
  title: string
  /** Adds a step below the route's title, which becomes a link; else replaces that title. */
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

/** Names the open page where its address isn't enough. */
export function useCrumb(title: string | undefined, below = false): void {
  useEffect(() => {
    if (!title) return
    set({ title, below })
    return () => set(undefined)
  }, [title, below])
}

/** Names the parent of the open page, between area and page, such as a keeper. */
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

export function usePresentCrumbAbove(): { title: string; to: string } | undefined {
  return useSyncExternalStore(listen, () => presentAbove)
}

export function usePresentCrumb(): Crumb | undefined {
  return useSyncExternalStore(listen, () => present)
}
