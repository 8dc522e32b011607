import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

// Not of a component: what is made because it is printed must be made for paper at once.
let printing = false

/** On paper there is no window: of a list that shows what is near it, everything loaded stands in the document. */
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
    // Also when every list goes away before the paper is done.
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
