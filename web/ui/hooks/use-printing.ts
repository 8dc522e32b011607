import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

// Module state, because components mounted during printing must render for print immediately.
let isPrinting = false
let hasPrintEvents = false
let isPrepared = false
let printMedia: MediaQueryList | undefined
const listeners = new Set<() => void>()

/** True on paper and while the Print command prepares it: lists then render and load all their entries. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  )
}

/** Renders the page for print until the returned function is called, also after a printout, which people often repeat. */
export function preparePrinting(): () => void {
  isPrepared = true
  setPrinting(true)
  return () => {
    isPrepared = false
    setPrinting(false)
  }
}

/** Synchronous, since the printout is taken at the end of `beforeprint`. */
function setPrinting(next: boolean): void {
  if (isPrinting === next) return
  isPrinting = next
  flushSync(() => {
    for (const listener of [...listeners]) listener()
  })
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    printMedia = matchMedia('print')
    addEventListener('beforeprint', onBeforePrint)
    addEventListener('afterprint', onAfterPrint)
    printMedia.addEventListener('change', onMediaChange)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    removeEventListener('beforeprint', onBeforePrint)
    removeEventListener('afterprint', onAfterPrint)
    printMedia?.removeEventListener('change', onMediaChange)
    isPrinting = false
    isPrepared = false
    hasPrintEvents = false
  }
}

function onBeforePrint(): void {
  hasPrintEvents = true
  setPrinting(true)
}

function onAfterPrint(): void {
  hasPrintEvents = false
  setPrinting(isPrepared)
}

/** Some browsers change only the medium; others change it several times between the two events. */
function onMediaChange({ matches }: MediaQueryListEvent): void {
  if (!hasPrintEvents) setPrinting(matches || isPrepared)
}

const pollMs = 100
const requiredCheckCount = 2
/** A picture that doesn't arrive is missing on paper, as it is on the page. */
const stallMs = 60_000

export interface LoadingCounts {
  /** Pictures that are requested but not complete. */
  pictureCount: number
  /** Other parts of the page that are still loading. */
  otherCount: number
}

function countLoading(root: ParentNode): LoadingCounts {
  const imageCount = [...root.querySelectorAll('img')].filter(({ complete }) => !complete).length
  return {
    pictureCount: root.querySelectorAll('[data-picture-loading]').length + imageCount,
    otherCount: root.querySelectorAll('[aria-busy="true"]').length,
  }
}

/** Resolves when two checks in a row find the page complete, or when loading is stuck or aborted. */
export async function waitForPictures(
  root: ParentNode,
  signal: AbortSignal,
  onChange: (loading: LoadingCounts) => void,
): Promise<void> {
  let completeCheckCount = 0
  let lastCounts = ''
  let changedAt = performance.now()
  while (completeCheckCount < requiredCheckCount) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    if (signal.aborted) return
    const loading = countLoading(root)
    completeCheckCount = loading.pictureCount + loading.otherCount === 0 ? completeCheckCount + 1 : 0
    const counts = `${loading.pictureCount} ${loading.otherCount}`
    if (counts !== lastCounts) {
      lastCounts = counts
      changedAt = performance.now()
      onChange(loading)
    } else if (performance.now() - changedAt > stallMs) return
  }
  await Promise.allSettled([...root.querySelectorAll('img')].map((image) => image.decode()))
}
