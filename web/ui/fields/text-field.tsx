import { Eye, EyeOff } from 'lucide-react'
import { type ChangeEvent, type ComponentProps, type ReactNode, useState } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { classNames } from '../hooks/class-names.ts'
import { controlClasses, controlHeight, Field, type FieldProps, splitFieldProps } from './field.tsx'

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'required'>, FieldProps {
  mono?: boolean
  icon?: ReactNode
  aside?: ReactNode
  end?: ReactNode
}

export function TextField({ mono = false, icon, end, type = 'text', ...props }: TextFieldProps) {
  const { field, control: rest } = splitFieldProps(props)
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
            {...rest}
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

interface NumberFieldProps extends Omit<TextFieldProps, 'type' | 'mono' | 'end' | 'icon'> {
  /** null while the box is empty or isn't a number. */
  onNumberChange?: (value: number | null) => void
  unit?: string
}

export function NumberField({ onNumberChange, onChange, unit, ...rest }: NumberFieldProps) {
  function change(event: ChangeEvent<HTMLInputElement>) {
    onChange?.(event)
    const value = event.currentTarget.valueAsNumber
    onNumberChange?.(Number.isNaN(value) ? null : value)
  }
  return (
    <TextField
      inputMode="decimal"
      {...rest}
      type="number"
      onChange={change}
      end={unit && <span className="pe-2 text-small">{unit}</span>}
    />
  )
}

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end' | 'icon'> {
  /** Completes the button label: 'Show password', 'Show API key'. */
  secretLabel?: string
}

export function PasswordField({ secretLabel = 'password', ...rest }: PasswordFieldProps) {
  const [isRevealed, setRevealed] = useState(false)
  const Icon = isRevealed ? EyeOff : Eye
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      type={isRevealed ? 'text' : 'password'}
      end={
        <IconButton
          size="small"
          label={isRevealed ? `Hide ${secretLabel}` : `Show ${secretLabel}`}
          onClick={() => setRevealed(!isRevealed)}
        >
          <Icon aria-hidden size={15} />
        </IconButton>
      }
    />
  )
}
