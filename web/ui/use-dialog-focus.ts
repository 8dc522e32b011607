import { useRef } from 'react'

/**
 * Radix gives focus back to its own trigger only; our dialogs are opened by state and have none.
 * Spread what this returns on the content.
 */
export function useDialogFocus(onOpenAutoFocus?: (event: Event) => void) {
  const opener = useRef<HTMLElement | null>(null)
  return {
    onOpenAutoFocus(event: Event) {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
      onOpenAutoFocus?.(event)
    },
    /** Escape closes the menu or popover that is open inside; the next one closes the dialog. */
    onEscapeKeyDown(event: Event) {
      if (document.querySelector('[popover="auto"]:popover-open')) event.preventDefault()
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      opener.current?.focus()
    },
  }
}
