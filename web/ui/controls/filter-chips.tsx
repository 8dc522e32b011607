import type { ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

export interface FilterChip<Value extends string> {
  value: Value
  label: ReactNode
  count?: number
}

export interface FilterChipsProps<Value extends string> {
  label: string
  options: readonly FilterChip<Value>[]
  value: Value
  onValueChange: (value: Value) => void
  className?: string
  /** Rendered after the chips. */
  children?: ReactNode
}

export const chipClasses =
  'tap-area h-7 rounded-full border border-border bg-card px-[11px] text-[0.78125rem] font-medium whitespace-nowrap transition-colors duration-120 hover:bg-muted aria-pressed:border-foreground aria-pressed:bg-foreground aria-pressed:text-background phone:h-[2.125rem]'

export function FilterChips<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  className,
  children,
}: FilterChipsProps<Value>) {
  return (
    <fieldset aria-label={label} className={classNames('flex min-w-0 flex-wrap gap-1.5', className)}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onValueChange(option.value)}
          className={chipClasses}
        >
          {option.label}
          {option.count !== undefined && <span className="ms-1.5 tabular-nums opacity-75">{option.count}</span>}
        </button>
      ))}
      {children}
    </fieldset>
  )
}
