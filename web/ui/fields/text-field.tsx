import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { controlClasses, controlHeight, Field, type FieldProps, splitFieldProps } from './field.tsx'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'required'>, FieldProps {
  mono?: boolean
  icon?: ReactNode
  aside?: ReactNode
  end?: ReactNode
}

export function TextField({ mono = false, icon, end, type = 'text', ...props }: TextFieldProps) {
  const { field, control: controlProps } = splitFieldProps(props)
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          {icon && (
            <span className="pointer-events-none absolute inset-y-0 start-[11px] grid place-items-center text-muted-foreground">
              {icon}
            </span>
          )}
          <input
            dir="auto"
            {...controlProps}
            {...control}
            type={type}
            className={classNames(
              controlClasses,
              controlHeight,
              mono && 'font-mono text-ui',
              icon ? 'ps-9' : undefined,
              end ? 'pe-[2.75rem]' : undefined,
            )}
          />
          {end && <span className="absolute inset-y-0 end-1 grid place-items-center text-muted-foreground">{end}</span>}
        </div>
      )}
    </Field>
  )
}
