import { useEffect, useSyncExternalStore } from 'react'

export interface Crumb {
  title: string
  /** Adds a step below the route's title, which becomes a link; else replaces that title. */
  isSubPage?: boolean
}

let currentCrumb: Crumb | undefined
let currentCrumbAbove: { title: string; to: string } | undefined
const listeners = new Set<() => void>()

function setCurrentCrumb(next: Crumb | undefined) {
  currentCrumb = next
  notifyListeners()
}

function notifyListeners() {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Names the open page where its address isn't enough. */
export function useCrumb(title: string | undefined, isSubPage = false): void {
  useEffect(() => {
    if (!title) return
    setCurrentCrumb({ title, isSubPage })
    return () => setCurrentCrumb(undefined)
  }, [title, isSubPage])
}

/** Names the parent of the open page, between area and page, such as a keeper. */
export function useCrumbAbove(title: string, to: string): void {
  useEffect(() => {
    currentCrumbAbove = { title, to }
    notifyListeners()
    return () => {
      currentCrumbAbove = undefined
      notifyListeners()
    }
  }, [title, to])
}

export function useParentCrumb(): { title: string; to: string } | undefined {
  return useSyncExternalStore(subscribe, () => currentCrumbAbove)
}

export function useCurrentCrumb(): Crumb | undefined {
  return useSyncExternalStore(subscribe, () => currentCrumb)
}
