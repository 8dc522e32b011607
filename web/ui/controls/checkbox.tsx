import { Check } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from '../hooks/class-names.ts'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'className' | 'onChange'>, ToggleLabel {
  onCheckedChange?: (checked: boolean) => void
}

export function Checkbox({ label, labelHidden, help, onCheckedChange, className, ...rest }: CheckboxProps) {
  const isLocked = rest['aria-disabled'] === true || rest['aria-disabled'] === 'true'
  return (
    <LabeledToggle label={label} labelHidden={labelHidden} help={help} className={className}>
      {(noteId) => (
        <span className="relative mt-[1.5px] grid size-[1.0625rem] shrink-0 place-items-center">
          <input
            {...rest}
            type="checkbox"
            aria-describedby={noteId ?? rest['aria-describedby']}
            onChange={(event) => {
              if (!isLocked) onCheckedChange?.(event.currentTarget.checked)
            }}
            className="peer absolute inset-0 cursor-[inherit] appearance-none rounded-[5px] border-[1.5px] border-input bg-card transition-colors duration-120 checked:border-primary checked:bg-primary disabled:border-border disabled:bg-muted disabled:checked:border-input disabled:checked:bg-input aria-disabled:border-border aria-disabled:bg-muted aria-disabled:checked:border-input aria-disabled:checked:bg-input forced-colors:appearance-auto"
          />
          <Check
            aria-hidden
            size={12}
            strokeWidth={3}
            className="pointer-events-none relative text-primary-foreground opacity-0 peer-checked:opacity-100 forced-colors:hidden"
          />
        </span>
      )}
    </LabeledToggle>
  )
}

export interface ToggleLabel {
  label: ReactNode
  labelHidden?: boolean
  help?: ReactNode
  className?: string
}

interface LabeledToggleProps extends ToggleLabel {
  children: (noteId: string | undefined) => ReactNode
}

export function LabeledToggle({ label, labelHidden = false, help, className, children }: LabeledToggleProps) {
  const noteId = useId()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label
      className={classNames(
        'tap-area inline-flex min-h-6 items-start gap-2 text-ui has-disabled:cursor-not-allowed has-disabled:text-muted-foreground has-aria-disabled:cursor-not-allowed has-aria-disabled:text-muted-foreground',
        className,
      )}
    >
      {children(help ? noteId : undefined)}
      <span className={labelHidden ? 'sr-only' : undefined}>
        {label}
        {help && (
          <span id={noteId} className="block text-small leading-[1.0625rem] text-muted-foreground">
            {help}
          </span>
        )}
      </span>
    </label>
  )
}
