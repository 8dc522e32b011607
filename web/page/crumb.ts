import { useEffect, useSyncExternalStore } from 'react'
import { Listeners } from '#contract/listeners.ts'

export interface Crumb {
  title: string
  /** Adds a step below the route's title, which becomes a link; else replaces that title. */
  isSubPage?: boolean
}

let currentCrumb: Crumb | undefined
let parentCrumb: { title: string; to: string } | undefined
const crumbListeners = new Listeners()

function setCurrentCrumb(next: Crumb | undefined) {
  currentCrumb = next
  crumbListeners.notify()
}

/** Names the open page where its address isn't enough. */
export function useCrumb(title: string | undefined, { isSubPage = false } = {}): void {
  useEffect(() => {
    if (!title) return
    setCurrentCrumb({ title, isSubPage })
    return () => setCurrentCrumb(undefined)
  }, [title, isSubPage])
}

/** Names the parent of the open page, between area and page, such as a keeper. */
export function useSetParentCrumb(title: string, to: string): void {
  useEffect(() => {
    parentCrumb = { title, to }
    crumbListeners.notify()
    return () => {
      parentCrumb = undefined
      crumbListeners.notify()
    }
  }, [title, to])
}

export function useParentCrumb(): { title: string; to: string } | undefined {
  return useSyncExternalStore(crumbListeners.add, () => parentCrumb)
}

export function useCurrentCrumb(): Crumb | undefined {
  return useSyncExternalStore(crumbListeners.add, () => currentCrumb)
}
