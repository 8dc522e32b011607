import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { TextField, type TextFieldProps } from './text-field.tsx'

export interface SearchFieldProps extends Omit<TextFieldProps, 'type' | 'icon' | 'end' | 'value' | 'onChange' | 'ref'> {
  value: string
  onValueChange: (value: string) => void
}

export function SearchField({ value, onValueChange, label, ...rest }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  function clear() {
    onValueChange('')
    input.current?.focus()
  }
  return (
    <TextField
      labelHidden
      placeholder={typeof label === 'string' ? label : undefined}
      {...rest}
      ref={input}
      label={label}
      type="text"
      role="searchbox"
      enterKeyHint="search"
      value={value}
      onChange={(event) => onValueChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && value !== '') {
          event.stopPropagation()
          clear()
        }
      }}
      icon={<Search aria-hidden size={15} />}
      end={
        value !== '' && (
          <IconButton size="small" label="Clear" onClick={clear}>
            <X aria-hidden size={15} />
          </IconButton>
        )
      }
    />
  )
}
