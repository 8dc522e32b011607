import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { controlClasses, controlHeight, Field, type FieldProps, splitFieldProps } from './field.tsx'

export interface SelectOption {
  value: string
  label: string
  disabled?: boolean
}

interface SelectGroup {
  label: string
  options: SelectOption[]
}

export interface SelectFieldProps
  extends Omit<ComponentProps<'select'>, 'className' | 'required' | 'children'>,
    FieldProps {
  options: (SelectOption | SelectGroup)[]
  /** Shown while the value is ''; can't be chosen again. */
  placeholder?: string
}

export function SelectField({ options, placeholder, ...props }: SelectFieldProps) {
  const { field, control: controlProps } = splitFieldProps(props)
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          <select
            {...controlProps}
            {...control}
            className={classNames(
              'select-control cursor-pointer items-center whitespace-nowrap pe-8',
              controlClasses,
              controlHeight,
            )}
          >
            {placeholder !== undefined && (
              <option value="" disabled hidden>
                {placeholder}
              </option>
            )}
            {options.map((entry) =>
              'options' in entry ? (
                <optgroup key={entry.label} label={entry.label}>
                  {entry.options.map(renderOption)}
                </optgroup>
              ) : (
                renderOption(entry)
              ),
            )}
          </select>
          <ChevronDown
            aria-hidden
            size={15}
            className="pointer-events-none absolute inset-y-0 end-2.5 my-auto text-muted-foreground"
          />
        </div>
      )}
    </Field>
  )
}

function renderOption({ value, label, disabled }: SelectOption) {
  return (
    <option key={value} value={value} disabled={disabled}>
      {label}
    </option>
  )
}
