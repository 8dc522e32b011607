import { Popover as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { floatingClasses, floatingPosition, floatingStyle } from './overlay-classes.ts'

export interface PopoverProps {
  trigger: ReactElement
  label: string
  children: ReactNode
  align?: 'start' | 'end'
  side?: 'top' | 'bottom'
  className?: string
}

export function Popover({ trigger, label, children, align = 'start', side = 'bottom', className }: PopoverProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          {...floatingPosition}
          side={side}
          align={align}
          aria-label={label}
          style={floatingStyle}
          className={classNames(
            floatingClasses,
            'max-w-[min(20rem,var(--radix-popper-available-width))] p-4',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
