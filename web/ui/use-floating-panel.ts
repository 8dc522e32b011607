import { type MouseEvent, type ToggleEvent, useLayoutEffect, useRef, useState } from 'react'
import { type Placement, placeBeside } from './place-beside.ts'

/** Puts the element into the browser's top layer beside its anchor, and keeps it there. */
export function useFloatingPlace(anchor: HTMLElement | null, { side, align, gap }: Placement) {
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const box = panel.current
    if (!anchor || !box) return
    function place() {
      if (!anchor || !box) return
      box.style.maxHeight = ''
      const room = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const size = { width: box.offsetWidth, height: box.offsetHeight }
      const at = placeBeside(anchor.getBoundingClientRect(), size, room, { side, align, gap })
      box.style.left = `${at.left}px`
      box.style.top = `${at.top}px`
      box.style.maxHeight = `${at.maxHeight}px`
    }
    if (!box.matches(':popover-open')) box.showPopover()
    place()
    addEventListener('scroll', place, { capture: true, passive: true })
    addEventListener('resize', place)
    return () => {
      removeEventListener('scroll', place, { capture: true })
      removeEventListener('resize', place)
    }
  }, [anchor, side, align, gap])
  return panel
}

/**
 * A panel that a button opens. Escape and a click elsewhere close it (popover="auto"), and focus
 * goes back to the button.
 */
export function useFloatingPanel(placement: Placement, onOpenChange?: (open: boolean) => void) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const wasOpen = useRef(false)
  const panel = useFloatingPlace(anchor, placement)

  function open(button: HTMLElement) {
    setAnchor(button)
    onOpenChange?.(true)
  }
  function close() {
    panel.current?.hidePopover()
  }

  return {
    isOpen: anchor !== null,
    open,
    close,
    triggerProps: {
      'aria-expanded': anchor !== null,
      // The press already closes an open panel; the click that follows must not open it again.
      onPointerDown() {
        wasOpen.current = anchor !== null
      },
      onClick(event: MouseEvent<HTMLElement>) {
        const byKeyboard = event.detail === 0
        if (byKeyboard ? anchor !== null : wasOpen.current) close()
        else open(event.currentTarget)
        wasOpen.current = false
      },
    },
    panelProps: {
      ref: panel,
      popover: 'auto' as const,
      onToggle(event: ToggleEvent<HTMLElement>) {
        if (event.newState === 'open' || event.target !== event.currentTarget) return
        const { activeElement } = document
        if (activeElement === document.body || event.currentTarget.contains(activeElement)) anchor?.focus()
        setAnchor(null)
        onOpenChange?.(false)
      },
    },
  }
}
