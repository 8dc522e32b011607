import type { KeyboardEvent } from 'react'

export function onSendKey(send: () => void) {
  return (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    // An outer form or canvas frame may handle the same keys.
    event.stopPropagation()
    send()
  }
}

/** For `onKeyDown` of a form: clicks its submit button, which may be disabled. */
export function onSubmitKey(event: KeyboardEvent<HTMLFormElement>): void {
  const form = event.currentTarget
  onSendKey(() => {
    for (const control of form.elements)
      if (control instanceof HTMLButtonElement && control.type === 'submit') return control.click()
  })(event)
}
