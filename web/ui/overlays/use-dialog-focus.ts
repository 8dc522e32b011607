import { useRef } from 'react'
import { focusFirstCandidate, getFocusCandidates, isVisible } from './next-focus.ts'

/** The last dialog's opener: a dialog that replaces another right away finds nothing focused. */
let lastOpener: HTMLElement | null = null

/** Radix restores focus only to its own trigger; our dialogs open from state. Spread the result on the content. */
export function useDialogFocus(onOpenAutoFocus?: (event: Event) => void) {
  const opener = useRef<HTMLElement | null>(null)
  const candidates = useRef<Node[]>([])
  return {
    onOpenAutoFocus(event: Event) {
      const active = document.activeElement
      opener.current = active instanceof HTMLElement && active !== document.body ? active : lastOpener
      lastOpener = opener.current
      candidates.current = opener.current ? getFocusCandidates(opener.current) : []
      onOpenAutoFocus?.(event)
    },
    /** Escape closes an open menu or popover first, the dialog next. */
    onEscapeKeyDown(event: Event) {
      if (document.querySelector('[popover="auto"]:popover-open')) event.preventDefault()
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      if (opener.current && isVisible(opener.current)) opener.current.focus()
      // The opener may be gone, like the button of a deleted item.
      if (!opener.current || document.activeElement !== opener.current) focusFirstCandidate(candidates.current)
      lastOpener = null
    },
  }
}
