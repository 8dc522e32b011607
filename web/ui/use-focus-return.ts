import { useRef } from 'react'

/**
 * Radix gives focus back to its own trigger only; our dialogs are opened by state and have none.
 * Spread what this returns on the content.
 */
export function useFocusReturn(onOpenAutoFocus?: (event: Event) => void) {
  const opener = useRef<HTMLElement | null>(null)
  return {
    onOpenAutoFocus(event: Event) {
      opener.current = openerOf(document.activeElement)
      onOpenAutoFocus?.(event)
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      opener.current?.focus()
    },
  }
}

/** A menu item is gone when the dialog it opened closes; the button of its menu is still there. */
function openerOf(focused: Element | null): HTMLElement | null {
  const menuButton = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const opener = menuButton ? document.getElementById(menuButton) : focused
  return opener instanceof HTMLElement ? opener : null
}
