import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { floatingPosition } from './overlay-classes.ts'

export interface TooltipProps {
  label: ReactNode
  /** Must be focusable and forward its props to the DOM. */
  children: ReactElement
  side?: 'top' | 'right'
}

export function Tooltip({ label, children, side = 'top' }: TooltipProps) {
  return (
    <Radix.Provider delayDuration={350}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            {...floatingPosition}
            side={side}
            className="z-50 max-w-64 animate-fade rounded-sm data-[state=closed]:animate-leave bg-foreground px-2 py-1 text-small text-background shadow-e2"
          >
            {label}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
