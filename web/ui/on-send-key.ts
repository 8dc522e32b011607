import type { KeyboardEvent } from 'react'

/** For `onKeyDown` of a form or box: Ctrl Enter, or Command Enter, sends. Not while a word is being composed. */
export function onSendKey(send: () => void) {
  return (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return
    event.preventDefault()
    // What lies around may do something else by the same keys: a run box in a form, a frame on a canvas.
    event.stopPropagation()
    send()
  }
}
