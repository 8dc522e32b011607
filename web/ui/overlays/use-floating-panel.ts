import { type MouseEvent, type ToggleEvent, useLayoutEffect, useRef, useState } from 'react'
import { type Placement, positionPanel } from './position-panel.ts'

/** Keeps the element in the browser's top layer next to its anchor (an element or its id). */
export function useFloatingPosition(anchor: HTMLElement | string | null, { side, align, gap }: Placement) {
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const box = panel.current
    const anchorElement = typeof anchor === 'string' ? document.getElementById(anchor) : anchor
    if (!anchorElement || !box) return

    function updatePosition() {
      if (!anchorElement || !box) return
      box.style.maxHeight = ''
      const viewport = { width: document.documentElement.clientWidth, height: window.innerHeight }
      const size = { width: box.offsetWidth, height: box.offsetHeight }
      const position = positionPanel(anchorElement.getBoundingClientRect(), size, viewport, { side, align, gap })
      box.style.left = `${position.left}px`
      box.style.top = `${position.top}px`
      box.style.maxHeight = `${position.maxHeight}px`
    }
    if (!box.matches(':popover-open')) box.showPopover()
    updatePosition()
    addEventListener('scroll', updatePosition, { capture: true, passive: true })
    addEventListener('resize', updatePosition)
    return () => {
      removeEventListener('scroll', updatePosition, { capture: true })
      removeEventListener('resize', updatePosition)
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
  const [internalOpen, setInternalOpen] = useState(false)
  const isOpen = open ?? internalOpen
  const wasOpen = useRef(false)
  const panel = useFloatingPosition(isOpen ? triggerId : null, placement)

  function setOpen(next: boolean) {
    setInternalOpen(next)
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
        const isFocusLost = activeElement === document.body || event.currentTarget.contains(activeElement)
        if (isFocusLost) document.getElementById(triggerId)?.focus()
        setOpen(false)
      },
    },
  }
}
