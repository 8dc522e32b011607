import { type ReactElement, type ReactNode, useEffect, useId } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { withHandlers } from '../hooks/with-handlers.ts'
import { floatingClasses } from './overlay-classes.ts'
import type { Align, PanelSide } from './position-panel.ts'
import { useFloatingPanel } from './use-floating-panel.ts'

export interface PopoverProps {
  trigger: ReactElement
  label: string
  /** Rendered only while open. The function form receives a close callback. */
  children: ReactNode | ((close: () => void) => ReactNode)
  align?: Align
  side?: PanelSide
  /** Leave out for an uncontrolled popover. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  className?: string
}

export function Popover({
  trigger,
  label,
  children,
  align = 'start',
  side = 'bottom',
  open,
  onOpenChange,
  className,
}: PopoverProps) {
  const id = useId()
  const { isOpen, close, triggerProps, panelProps } = useFloatingPanel({
    triggerId: `${id}-button`,
    side,
    align,
    gap: 6,
    open,
    onOpenChange,
  })
  const { ref } = panelProps
  useEffect(() => {
    if (isOpen) ref.current?.focus({ preventScroll: true })
  }, [isOpen, ref])
  return (
    <>
      {withHandlers(trigger, {
        ...triggerProps,
        'aria-haspopup': 'dialog',
        'aria-controls': isOpen ? id : undefined,
      })}
      {isOpen && (
        <div
          {...panelProps}
          id={id}
          role="dialog"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={(event) => {
            if (event.key === 'Escape') close()
          }}
          onBlur={(event) => {
            const to = event.relatedTarget
            if (to instanceof Node && !event.currentTarget.contains(to)) close()
          }}
          className={classNames(floatingClasses, 'max-w-80 p-4', className)}
        >
          {typeof children === 'function' ? children(close) : children}
        </div>
      )}
    </>
  )
}
