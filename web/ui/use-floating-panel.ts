import { type MouseEvent, type ToggleEvent, useLayoutEffect, useRef, useState } from 'react'
import { type Placement, placeBeside } from './place-beside.ts'

/** Keeps the element in the browser's top layer next to its anchor (an element or its id). */
export function useFloatingPlace(anchor: HTMLElement | string | null, { side, align, gap }: Placement) {
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const box = panel.current
    const beside = typeof anchor === 'string' ? document.getElementById(anchor) : anchor
    if (!beside || !box) return

    function place() {
      if (!beside || !box) return
      box.style.maxHeight = ''
      const room = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const size = { width: box.offsetWidth, height: box.offsetHeight }
      const at = placeBeside(beside.getBoundingClientRect(), size, room, { side, align, gap })
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

export interface FloatingPanelOptions extends Placement {
  triggerId: string
  /** Leave out for an uncontrolled panel. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** Escape and outside clicks close it (popover="auto"); focus returns to the button. */
export function useFloatingPanel({ triggerId, open, onOpenChange, ...placement }: FloatingPanelOptions) {
  const [ownOpen, setOwnOpen] = useState(false)
  const isOpen = open ?? ownOpen
  const wasOpen = useRef(false)
  const panel = useFloatingPlace(isOpen ? triggerId : null, placement)

  function setOpen(next: boolean) {
    setOwnOpen(next)
    onOpenChange?.(next)
  }
  function close() {
    panel.current?.hidePopover()
  }

  return {
    isOpen,
    setOpen,
    close,
    triggerProps: {
      id: triggerId,
      'aria-expanded': isOpen,
      // The press already closes an open panel; the following click must not reopen it.
      onPointerDown() {
        wasOpen.current = isOpen
      },
      onClick(event: MouseEvent<HTMLElement>) {
        const byKeyboard = event.detail === 0
        if (byKeyboard ? isOpen : wasOpen.current) close()
        else setOpen(true)
        wasOpen.current = false
      },
    },
    panelProps: {
      ref: panel,
      popover: 'auto' as const,
      onToggle(event: ToggleEvent<HTMLElement>) {
        if (event.newState === 'open' || event.target !== event.currentTarget) return
        const { activeElement } = document
        const lost = activeElement === document.body || event.currentTarget.contains(activeElement)
        if (lost) document.getElementById(triggerId)?.focus()
        setOpen(false)
      },
    },
  }
}
