import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { controlClasses, Field, type FieldProps, splitFieldProps } from './field.tsx'

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'className' | 'required'>, FieldProps {
  aside?: ReactNode
  /** For text that people write to keep. */
  serif?: boolean
  mono?: boolean
  autoGrow?: boolean
}

export function TextArea({ serif = false, mono = false, autoGrow = true, rows = 3, ...props }: TextAreaProps) {
  const { field, control: controlProps } = splitFieldProps(props)
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          dir="auto"
          {...controlProps}
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
