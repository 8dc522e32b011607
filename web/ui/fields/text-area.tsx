import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { getLengthProblem } from '../text/length-problem.ts'
import { controlClasses, Field, type FieldProps, splitFieldProps } from './field.tsx'

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'required'>, FieldProps {
  aside?: ReactNode
  /** For text that people write to keep. */
  serif?: boolean
  mono?: boolean
  autoGrow?: boolean
  /** Cuts off what exceeds `maxLength`, for a text that is stored while it is typed. */
  truncates?: boolean
}

export function TextArea({
  serif = false,
  mono = false,
  autoGrow = true,
  rows = 3,
  maxLength,
  truncates = false,
  ...props
}: TextAreaProps) {
  const { field, control: controlProps } = splitFieldProps(props)
  // In a form the end of a pasted text must not disappear silently.
  const lengthProblem = !truncates && maxLength && getLengthProblem(String(controlProps.value ?? ''), maxLength)
  return (
    <Field {...field} error={field.error || lengthProblem}>
      {(control) => (
        <textarea
          dir="auto"
          {...controlProps}
          {...control}
          rows={rows}
          maxLength={truncates ? maxLength : undefined}
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
