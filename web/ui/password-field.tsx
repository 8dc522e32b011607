import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from './icon-button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end' | 'icon'> {
  /** Completes the button label: 'Show password', 'Show API key'. */
  reveals?: string
}

export function PasswordField({ reveals = 'password', ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...rest}
      type={shown ? 'text' : 'password'}
      end={
        <IconButton size="small" label={shown ? `Hide ${reveals}` : `Show ${reveals}`} onClick={() => setShown(!shown)}>
          <Icon aria-hidden size={15} />
        </IconButton>
      }
    />
  )
}
