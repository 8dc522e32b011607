import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'

export interface TooltipProps {
  label: ReactNode
  /** Something that takes focus. */
  children: ReactElement
  side?: 'top' | 'bottom' | 'left' | 'right'
  /** Nothing to say right now. */
  off?: boolean
}

export function Tooltip({ label, children, side = 'top', off = false }: TooltipProps) {
  if (off) return children
  return (
    <Radix.Provider delayDuration={350} skipDelayDuration={200}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            side={side}
            sideOffset={6}
            collisionPadding={8}
            className="z-60 max-w-64 animate-fade rounded-sm bg-foreground px-2 py-1 text-small text-background shadow-e2"
          >
            {label}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
