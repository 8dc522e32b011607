import type { ComponentProps } from 'react'
import { LabeledToggle, type ToggleLabel } from './checkbox.tsx'

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'className' | 'onChange'>, ToggleLabel {
  onCheckedChange?: (checked: boolean) => void
}

export function Switch({ label, labelHidden, help, onCheckedChange, className, ...rest }: SwitchProps) {
  return (
    <LabeledToggle label={label} labelHidden={labelHidden} help={help} className={className}>
      {(noteId) => (
        <span className="relative mt-px block h-[1.1875rem] w-[2rem] shrink-0">
          <input
            {...rest}
            type="checkbox"
            // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox conveys its own checked state
            role="switch"
            aria-describedby={noteId ?? rest['aria-describedby']}
            onChange={(event) => onCheckedChange?.(event.currentTarget.checked)}
            className="peer absolute inset-0 cursor-[inherit] appearance-none rounded-full bg-input transition-colors duration-120 checked:bg-primary disabled:opacity-60 forced-colors:appearance-auto"
          />
          <span
            aria-hidden
            className="pointer-events-none absolute start-[0.15625rem] top-[0.15625rem] size-[0.875rem] rounded-full bg-card transition-[translate,background-color] duration-120 peer-checked:translate-x-[0.8125rem] peer-checked:bg-primary-foreground forced-colors:hidden"
          />
        </span>
      )}
    </LabeledToggle>
  )
}
