import { Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'end' | 'icon'> {
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
