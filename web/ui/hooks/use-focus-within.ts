import { type FocusEvent, useEffect, useRef, useState } from 'react'

/**
 * Whether the focus is in an element, or in a menu or dialog rendered by it.
 * Changes to false only after the press that moves the focus, so that nothing shifts between press and click.
 */
export function useFocusWithin(hasInitialFocus = false) {
  const [hasFocus, setHasFocus] = useState(hasInitialFocus)
  const focusedElement = useRef<Element>(null)

  useEffect(() => {
    if (!hasFocus) return
    let isPressed = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const check = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (!isPressed && document.activeElement !== focusedElement.current) setHasFocus(false)
      })
    }
    const press = () => {
      isPressed = true
    }
    const release = () => {
      isPressed = false
      check()
    }
    const listeners = { pointerdown: press, pointerup: release, pointercancel: release, focusout: check }
    for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, { capture: true })
    return () => {
      clearTimeout(timer)
      for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener, { capture: true })
    }
  }, [hasFocus])

  return {
    hasFocus,
    onFocus(event: FocusEvent) {
      focusedElement.current = event.target
      setHasFocus(true)
    },
  }
}
