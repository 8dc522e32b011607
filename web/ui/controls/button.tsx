import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { type ButtonSize, type ButtonVariant, getButtonClasses } from './button-classes.ts'

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  /** Keeps focus and width, but ignores clicks. */
  busy?: boolean
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
  const hiddenLabel = busy ? children : busyLabel
  const leadingIcon = busy ? <LoaderCircle aria-hidden size={14} className="animate-spin" /> : icon
  function handleClick(event: MouseEvent<HTMLButtonElement>) {
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
      onClick={handleClick}
      className={classNames(getButtonClasses({ variant, size }), className)}
    >
      {busyLabel ? (
        <span
          data-other={typeof hiddenLabel === 'string' ? hiddenLabel : undefined}
          className="inline-grid justify-items-center after:invisible after:h-0 after:ps-[22px] after:content-[attr(data-other)]"
        >
          <span className="inline-flex items-center gap-[7px]">
            {leadingIcon}
            {label}
          </span>
        </span>
      ) : (
        <>
          {leadingIcon}
          <span>{label}</span>
        </>
      )}
    </button>
  )
}
