import { Check } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from '../hooks/class-names.ts'

export interface Choice<Value extends string> {
  value: Value
  title: ReactNode
  description?: ReactNode
  picture?: ReactNode
  badge?: ReactNode
  disabled?: boolean
}

export interface ChoiceCardsProps<Value extends string> {
  label: ReactNode
  labelHidden?: boolean
  required?: boolean
  options: readonly Choice<Value>[]
  value: Value | null
  onValueChange: (value: Value) => void
  columns?: 1 | 2 | 3
  error?: ReactNode
}

const gridClasses = {
  1: 'grid-cols-1',
  2: 'grid-cols-2 phone:grid-cols-1',
  3: 'grid-cols-3 phone:grid-cols-1',
}

export function ChoiceCards<Value extends string>({
  label,
  labelHidden = false,
  required = false,
  options,
  value,
  onValueChange,
  columns = 2,
  error,
}: ChoiceCardsProps<Value>) {
  const name = useId()
  return (
    <fieldset className="min-w-0" aria-describedby={`${name}-note`}>
      <legend className={labelHidden ? 'sr-only' : 'mb-1.5 text-ui leading-[1.125rem] font-label'}>
        {label}
        {required && (
          <span aria-hidden className="ms-1.5 font-semibold text-destructive">
            *
          </span>
        )}
      </legend>
      <div className={classNames('grid gap-2.5', gridClasses[columns])}>
        {options.map((option) => (
          <label
            key={option.value}
            className="group relative flex min-w-0 items-start gap-3 rounded-lg border border-border bg-card p-3.5 shadow-e1 transition-colors duration-120 hover:border-input has-checked:border-primary has-checked:inset-ring has-checked:inset-ring-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring has-disabled:cursor-not-allowed has-disabled:border-dashed has-disabled:bg-muted has-disabled:shadow-none"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onValueChange(option.value)}
              className="peer pointer-events-none absolute inset-0 appearance-none opacity-0"
            />
            {option.picture}
            <span className="min-w-0 flex-1">
              <span className="flex items-center gap-2 text-ui font-label">
                {option.title}
                {option.badge}
              </span>
              {option.description && (
                <span className="mt-0.5 block text-small leading-[1.0625rem] text-muted-foreground">
                  {option.description}
                </span>
              )}
            </span>
            <Check
              aria-hidden
              size={15}
              strokeWidth={2.4}
              className="mt-0.5 shrink-0 text-primary opacity-0 peer-checked:opacity-100"
            />
          </label>
        ))}
      </div>
      <p
        id={`${name}-note`}
        aria-live="polite"
        className="mt-1.5 text-small leading-[1.0625rem] font-medium text-destructive empty:hidden"
      >
        {error}
      </p>
    </fieldset>
  )
}
