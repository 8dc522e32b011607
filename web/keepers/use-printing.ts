import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

// Module state, because components mounted during printing must render for print immediately.
let printing = false

/** Virtualized lists render all loaded items while printing. */
export function usePrinting(): boolean {
  return useSyncExternalStore(
    listen,
    () => printing,
    () => false,
  )
}

function printed(): void {
  printing = false
}

function listen(onChange: () => void): () => void {
  const before = () => {
    printing = true
    // Resets the state even if all lists unmount before printing ends.
    addEventListener('afterprint', printed, { once: true })
    flushSync(onChange)
  }
  const after = () => {
    printed()
    onChange()
  }
  addEventListener('beforeprint', before)
  addEventListener('afterprint', after)
  return () => {
    removeEventListener('beforeprint', before)
    removeEventListener('afterprint', after)
  }
}
