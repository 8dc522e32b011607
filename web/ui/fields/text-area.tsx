import type { ComponentProps, ReactNode } from 'react'
import { controlClasses } from '../controls/control-classes.ts'
import { classNames } from '../hooks/class-names.ts'
import { Field, type FieldProps } from './field.tsx'

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'required'>, FieldProps {
  aside?: ReactNode
  /** For text that people write to keep. */
  serif?: boolean
  mono?: boolean
  autoGrow?: boolean
}

export function TextArea({
  id,
  label,
  labelHidden,
  required,
  help,
  error,
  success,
  fix,
  className,
  aside,
  serif = false,
  mono = false,
  autoGrow = true,
  rows = 3,
  ...rest
}: TextAreaProps) {
  return (
    <Field {...{ id, label, labelHidden, required, help, error, success, fix, className, aside }}>
      {(control) => (
        <textarea
          {...rest}
          {...control}
          rows={rows}
          className={classNames(
            controlClasses,
            'block min-h-16 resize-y py-[9px]',
            autoGrow && 'field-sizing-content max-h-[28rem]',
            serif && 'font-serif text-read',
            mono && 'font-mono text-code',
          )}
        />
      )}
    </Field>
  )
}
