import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

// Module state, because components mounted during printing must render for print immediately.
let printing = false
let hasPrintEvents = false
let isPrepared = false
let printMedia: MediaQueryList | undefined
const listeners = new Set<() => void>()

/** True on paper and while the Print command prepares it: lists then render and load all their entries. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => printing,
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
  if (printing === next) return
  printing = next
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
    printing = false
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
/** A picture that doesn't arrive is missing on paper, as it is on the page. */
const stallMs = 60_000

/** Pictures that are requested but not complete, and other content of the page that is still loading. */
function countLoading(root: ParentNode): { pictures: number; others: number } {
  const images = [...root.querySelectorAll('img')].filter(({ complete }) => !complete).length
  return {
    pictures: root.querySelectorAll('[data-picture-loading]').length + images,
    others: root.querySelectorAll('[aria-busy="true"]').length,
  }
}

/** Resolves when two checks in a row find the page complete, or when loading is stuck or aborted. */
export async function waitForPictures(
  root: ParentNode,
  signal: AbortSignal,
  onChange: (loading: { pictures: number; others: number }) => void,
): Promise<void> {
  let completeChecks = 0
  let last = ''
  let changedAt = performance.now()
  while (completeChecks < 2) {
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    if (signal.aborted) return
    const loading = countLoading(root)
    completeChecks = loading.pictures + loading.others === 0 ? completeChecks + 1 : 0
    const state = `${loading.pictures} ${loading.others}`
    if (state !== last) {
      last = state
      changedAt = performance.now()
      onChange(loading)
    } else if (performance.now() - changedAt > stallMs) return
  }
  await Promise.allSettled([...root.querySelectorAll('img')].map((image) => image.decode()))
}
