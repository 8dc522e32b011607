import { Check, Minus } from 'lucide-react'
import { type ComponentProps, useEffect, useImperativeHandle, useRef } from 'react'
import { LabeledToggle, type ToggleLabel } from './labeled-toggle.tsx'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'className'>, ToggleLabel {
  indeterminate?: boolean
  onCheckedChange?: (checked: boolean) => void
}

export function Checkbox({
  label,
  labelHidden,
  help,
  indeterminate = false,
  onCheckedChange,
  onChange,
  className,
  ref,
  ...rest
}: CheckboxProps) {
  const input = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => input.current as HTMLInputElement)
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate
  }, [indeterminate])
  const Mark = indeterminate ? Minus : Check
  const isLocked = rest['aria-disabled'] === true || rest['aria-disabled'] === 'true'
  return (
    <LabeledToggle {...{ label, labelHidden, help, className }}>
      {(noteId) => (
        <span className="relative mt-[1.5px] grid size-[17px] shrink-0 place-items-center">
          <input
            {...rest}
            ref={input}
            type="checkbox"
            aria-describedby={noteId ?? rest['aria-describedby']}
            onChange={(event) => {
              if (isLocked) return
              onChange?.(event)
              onCheckedChange?.(event.currentTarget.checked)
            }}
            className="peer absolute inset-0 cursor-[inherit] appearance-none rounded-[5px] border-[1.5px] border-input bg-card transition-colors duration-120 checked:border-primary checked:bg-primary indeterminate:border-primary indeterminate:bg-primary disabled:border-border disabled:bg-muted disabled:checked:border-input disabled:checked:bg-input aria-disabled:border-border aria-disabled:bg-muted aria-disabled:checked:border-input aria-disabled:checked:bg-input forced-colors:appearance-auto"
          />
          <Mark
            aria-hidden
            size={12}
            strokeWidth={3}
            className="pointer-events-none relative text-primary-foreground opacity-0 peer-checked:opacity-100 peer-indeterminate:opacity-100 forced-colors:hidden"
          />
        </span>
      )}
    </LabeledToggle>
  )
}
