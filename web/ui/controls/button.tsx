import { LoaderCircle } from 'lucide-react'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

export type ButtonVariant = 'primary' | 'outline' | 'plain' | 'danger' | 'danger-text' | 'keep'
export type ButtonSize = 'small' | 'medium' | 'large'

const variantClasses: Record<ButtonVariant, string> = {
  primary:
    'border-primary bg-primary text-primary-foreground shadow-e0 hover:border-primary-hover hover:bg-primary-hover',
  outline: 'border-border bg-card text-foreground shadow-e0 hover:bg-muted hover:border-input/60',
  plain: 'border-transparent text-foreground hover:bg-fill',
  danger:
    'border-destructive bg-destructive text-destructive-foreground shadow-e0 hover:border-destructive-hover hover:bg-destructive-hover',
  'danger-text':
    'border-transparent text-muted-foreground hover:bg-destructive-soft hover:text-destructive focus-visible:text-destructive active:text-destructive',
  keep: 'border-ribbon/45 bg-ribbon-soft text-ribbon-text shadow-e0 hover:border-ribbon',
}

const sizeClasses: Record<ButtonSize, string> = {
  small: 'tap-area h-7 gap-[5px] rounded-sm px-2.5 text-small phone:h-[2.125rem]',
  medium: 'h-[2.125rem] gap-[7px] rounded-md px-3.5 text-ui phone:h-10',
  large: 'h-[2.875rem] gap-2 rounded-[10px] px-6 text-lead',
}

const disabledClasses =
  'disabled:border-dashed disabled:border-border disabled:bg-muted disabled:font-book disabled:text-muted-foreground disabled:shadow-none disabled:cursor-not-allowed'

export function getButtonClasses({
  variant = 'outline',
  size = 'medium',
}: {
  variant?: ButtonVariant
  size?: ButtonSize
} = {}): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center border font-label leading-none whitespace-nowrap select-none',
    'transition-colors duration-120 active:not-disabled:translate-y-px data-busy:cursor-progress',
    variantClasses[variant],
    sizeClasses[size],
    disabledClasses,
  )
}

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

interface AnchorButtonProps extends ComponentProps<'a'> {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
}

export function AnchorButton({ variant, size, icon, className, children, ...rest }: AnchorButtonProps) {
  return (
    <a {...rest} className={classNames(getButtonClasses({ variant, size }), className)}>
      {icon}
      {children}
    </a>
  )
}

/** The button disappears on success; focus moves to the dialog or main instead of being lost. */
export function RetryButton({ children = 'Retry', size = 'small', ...rest }: Omit<ButtonProps, 'ref'>) {
  return (
    <Button {...rest} size={size} ref={returnFocusOnUnmount}>
      {children}
    </Button>
  )
}

export function returnFocusOnUnmount(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement !== button) return
    button.closest<HTMLElement>('[role=dialog], main')?.focus({ preventScroll: true })
  }
}
