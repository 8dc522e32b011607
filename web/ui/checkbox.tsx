import { Check, Minus } from 'lucide-react'
import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react'
import { classNames } from './class-names.ts'
import { mergeRefs } from './merge-refs.ts'

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode
  labelHidden?: boolean
  help?: ReactNode
  indeterminate?: boolean
  onCheckedChange?: (checked: boolean) => void
}

export function Checkbox({
  label,
  labelHidden = false,
  help,
  indeterminate = false,
  onCheckedChange,
  onChange,
  className,
  ref,
  ...rest
}: CheckboxProps) {
  const noteId = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate
  }, [indeterminate])
  const Mark = indeterminate ? Minus : Check
  return (
    <label
      className={classNames(
        'inline-flex min-h-6 items-start gap-2 text-ui has-disabled:cursor-not-allowed has-disabled:text-muted-foreground',
        className,
      )}
    >
      <span className="relative mt-[1.5px] grid size-[17px] shrink-0 place-items-center">
        <input
          {...rest}
          ref={mergeRefs(input, ref)}
          type="checkbox"
          aria-describedby={help ? noteId : rest['aria-describedby']}
          onChange={(event) => {
            onChange?.(event)
            onCheckedChange?.(event.currentTarget.checked)
          }}
          className="peer absolute inset-0 cursor-[inherit] appearance-none rounded-[5px] border-[1.5px] border-input bg-card transition-colors duration-120 checked:border-primary checked:bg-primary indeterminate:border-primary indeterminate:bg-primary disabled:border-border disabled:bg-muted disabled:checked:border-input disabled:checked:bg-input forced-colors:appearance-auto"
        />
        <Mark
          aria-hidden
          size={12}
          strokeWidth={3}
          className="pointer-events-none relative text-primary-foreground opacity-0 peer-checked:opacity-100 peer-indeterminate:opacity-100 forced-colors:hidden"
        />
      </span>
      <span className={labelHidden ? 'sr-only' : undefined}>
        {label}
        {help && (
          <span id={noteId} className="block text-small leading-[17px] text-muted-foreground">
            {help}
          </span>
        )}
      </span>
    </label>
  )
}
