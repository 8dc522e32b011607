import { type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { withHandlers } from '../hooks/with-handlers.ts'
import type { PanelSide } from './position-panel.ts'
import { useFloatingPosition } from './use-floating-panel.ts'

export interface TooltipProps {
  label: ReactNode
  /** Must take focus and pass on its props. */
  children: ReactElement
  side?: PanelSide
  disabled?: boolean
}

const openDelayMs = 350
/** Time to move the pointer onto the tooltip (ms). */
const closeDelayMs = 120

export function Tooltip({ label, children, side = 'top', disabled = false }: TooltipProps) {
  const id = useId()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const panel = useFloatingPosition(anchor, { side, align: 'center', gap: 6 })

  function scheduleAnchor(next: HTMLElement | null, delayMs: number) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setAnchor(next), delayMs)
  }
  function hide() {
    clearTimeout(timer.current)
    setAnchor(null)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (!anchor) return
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setAnchor(null)
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [anchor])

  if (disabled) return children
  return (
    <>
      {withHandlers(children, {
        'aria-describedby': anchor ? id : undefined,
        onPointerEnter: ({ pointerType, currentTarget }) => {
          if (pointerType === 'mouse') scheduleAnchor(currentTarget, openDelayMs)
        },
        onPointerLeave: () => scheduleAnchor(null, closeDelayMs),
        onPointerDown: hide,
        onFocus: ({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) setAnchor(currentTarget)
        },
        onBlur: hide,
      })}
      {anchor && (
        <div
          ref={panel}
          id={id}
          role="tooltip"
          popover="manual"
          onPointerEnter={() => clearTimeout(timer.current)}
          onPointerLeave={() => scheduleAnchor(null, closeDelayMs)}
          className="fixed inset-auto m-0 max-w-64 animate-fade rounded-sm bg-foreground px-2 py-1 text-start font-sans text-small font-normal whitespace-normal text-background shadow-e2"
        >
          {label}
        </div>
      )}
    </>
  )
}
