import type { KeyboardEvent } from 'react'

/** For `onKeyDown` of a form or box: Ctrl Enter, or Command Enter, sends. */
export function onSendKey(send: () => void) {
  return (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    // What lies around may do something else by the same keys: a run box in a form, a frame on a canvas.
    event.stopPropagation()
    send()
  }
}

/** For `onKeyDown` of a form: the same keys press its button, which may be held just now. */
export function onSubmitKey(event: KeyboardEvent<HTMLFormElement>): void {
  const form = event.currentTarget
  onSendKey(() => {
    for (const control of form.elements)
      if (control instanceof HTMLButtonElement && control.type === 'submit') return control.click()
  })(event)
}
