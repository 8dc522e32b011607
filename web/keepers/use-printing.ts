import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

// Module state, because components mounted during printing must render for print immediately.
let isPrinting = false

/** Virtualized lists render all loaded items while printing. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => isPrinting,
    () => false,
  )
}

function clearPrinting(): void {
  isPrinting = false
}

function subscribe(onChange: () => void): () => void {
  const onBeforePrint = () => {
    isPrinting = true
    // Resets the state even if all lists unmount before printing ends.
    addEventListener('afterprint', clearPrinting, { once: true })
    flushSync(onChange)
  }
  const onAfterPrint = () => {
    clearPrinting()
    onChange()
  }
  addEventListener('beforeprint', onBeforePrint)
  addEventListener('afterprint', onAfterPrint)
  return () => {
    removeEventListener('beforeprint', onBeforePrint)
    removeEventListener('afterprint', onAfterPrint)
  }
}
