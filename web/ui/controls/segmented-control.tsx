import { type ReactNode, useId } from 'react'
import { classNames } from '../hooks/class-names.ts'

interface Segment<Value extends string> {
  value: Value
  label: ReactNode
  disabled?: boolean
}

export interface SegmentedControlProps<Value extends string> {
  label: string
  options: readonly Segment<Value>[]
  value: Value
  onValueChange: (value: Value) => void
  className?: string
}

export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onValueChange,
  className,
}: SegmentedControlProps<Value>) {
  const name = useId()
  return (
    <div
      role="radiogroup"
      data-chrome
      aria-label={label}
      className={classNames('inline-flex max-w-full flex-wrap gap-0.5 rounded-md bg-secondary p-[3px]', className)}
    >
      {options.map((option) => (
        <label
          key={option.value}
          className="relative rounded-sm px-[11px] text-center text-[0.78125rem] leading-[1.625rem] font-medium whitespace-nowrap text-muted-foreground transition-colors duration-120 hover:text-foreground has-checked:bg-raised has-checked:font-semibold has-checked:text-foreground has-checked:shadow-e1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-ring has-disabled:cursor-not-allowed phone:leading-[2.125rem]"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onValueChange(option.value)}
            className="pointer-events-none absolute inset-0 appearance-none opacity-0"
          />
          {option.label}
        </label>
      ))}
    </div>
  )
}
