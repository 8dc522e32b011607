import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { type ButtonSize, type ButtonVariant, buttonClasses } from './button-classes.ts'
import { classNames } from './class-names.ts'

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  /** Stays focusable and keeps its width, but does nothing. */
  busy?: boolean
  /** What it says while busy, from the specification ('Creating Agent...'). */
  busyLabel?: string
}

export function Button({
  variant = 'outline',
  size = 'medium',
  icon,
  busy = false,
  busyLabel,
  className,
  children,
  onClick,
  type = 'button',
  disabled,
  ...rest
}: ButtonProps) {
  const label = busy && busyLabel ? busyLabel : children
  const other = busy ? children : busyLabel
  function click(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled && !busy}
      aria-disabled={busy || undefined}
      data-busy={busy || undefined}
      onClick={click}
      className={classNames(buttonClasses({ variant, size }), className)}
    >
      {busy ? <LoaderCircle aria-hidden size={14} className="animate-spin" /> : icon}
      <span
        data-other={busyLabel && typeof other === 'string' ? other : undefined}
        className={classNames(
          busyLabel && 'inline-grid justify-items-center after:invisible after:h-0 after:content-[attr(data-other)]',
        )}
      >
        {label}
      </span>
    </button>
  )
}
