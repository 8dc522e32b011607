import { useRef } from 'react'
import { besides, focusFirstOf, seen } from './next-focus.ts'

/** Of the dialog opened last: one that takes its place at once finds nothing focused. */
let lastOpener: HTMLElement | null = null

/**
 * Radix gives focus back to its own trigger only; our dialogs are opened by state and have none.
 * Spread what this returns on the content.
 */
export function useDialogFocus(onOpenAutoFocus?: (event: Event) => void) {
  const opener = useRef<HTMLElement | null>(null)
  const heirs = useRef<Node[]>([])
  return {
    onOpenAutoFocus(event: Event) {
      const active = document.activeElement
      opener.current = active instanceof HTMLElement && active !== document.body ? active : lastOpener
      lastOpener = opener.current
      heirs.current = opener.current ? besides(opener.current) : []
      onOpenAutoFocus?.(event)
    },
    /** Escape closes the menu or popover that is open inside; the next one closes the dialog. */
    onEscapeKeyDown(event: Event) {
      if (document.querySelector('[popover="auto"]:popover-open')) event.preventDefault()
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      if (opener.current && seen(opener.current)) opener.current.focus()
      // It went meanwhile, as the button of what was deleted does.
      if (!opener.current || document.activeElement !== opener.current) focusFirstOf(heirs.current)
      lastOpener = null
    },
  }
}
