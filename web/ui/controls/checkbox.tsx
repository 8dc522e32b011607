import { Check } from 'lucide-react'
import type { ComponentProps } from 'react'
import { LabeledToggle, type ToggleLabel } from './labeled-toggle.tsx'

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
            onChange={(event) => isLocked || onCheckedChange?.(event.currentTarget.checked)}
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
