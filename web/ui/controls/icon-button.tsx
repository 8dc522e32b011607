import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  label: string
  children: ReactNode
  outlined?: boolean
  size?: 'small' | 'medium'
  pressed?: boolean
}

export function IconButton({
  label,
  children,
  outlined = false,
  size = 'medium',
  pressed,
  className,
  type = 'button',
  ...rest
}: IconButtonProps) {
  return (
    <button
      title={label}
      {...rest}
      type={type}
      aria-label={label}
      aria-pressed={pressed}
      className={classNames(
        'grid shrink-0 place-items-center border transition-colors duration-120 disabled:cursor-not-allowed disabled:opacity-60',
        size === 'small' ? 'tap-area size-7 rounded-sm phone:size-[2.125rem]' : 'size-8 rounded-md phone:size-10',
        outlined
          ? 'border-border bg-card text-foreground hover:bg-muted'
          : 'border-transparent text-muted-foreground hover:bg-fill hover:text-foreground aria-pressed:bg-fill aria-pressed:text-foreground',
        className,
      )}
    >
      {children}
    </button>
  )
}
