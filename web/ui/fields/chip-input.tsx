import { X } from 'lucide-react'
import { type ChangeEvent, type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { classNames } from '../hooks/class-names.ts'
import { Field, type FieldProps } from './field.tsx'
import { isUnfinished } from './field-keys.ts'

export interface ChipInputProps extends FieldProps {
  id?: string
  value: readonly string[]
  onValueChange: (value: string[]) => void
  placeholder?: string
  disabled?: boolean
  normalize?: (tag: string) => string
}

/** A line break, and the comma of any script. Phone keyboards report no key for it, only the text. */
const separator = /[,\n，、،]/

/** Comma or Enter adds a tag; Backspace in the empty box removes the last one. */
export function ChipInput({
  id,
  value,
  onValueChange,
  placeholder,
  disabled = false,
  normalize = (tag) => tag.trim(),
  ...field
}: ChipInputProps) {
  const [draft, setDraft] = useState('')

  function add(text: string, remaining = '') {
    const tags = text.split(separator).map(normalize)
    const next = [...new Set([...value, ...tags])].filter((tag) => tag !== '')
    if (next.length !== value.length) onValueChange(next)
    setDraft(remaining)
  }
  function handleChange(event: ChangeEvent<HTMLInputElement>) {
    const text = event.currentTarget.value
    const remaining = text.split(separator).at(-1) ?? ''
    // An input method would insert its text again after the box is emptied.
    if (isUnfinished(event)) setDraft(text)
    else add(text.slice(0, text.length - remaining.length), remaining)
  }
  function handleKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'Enter' && draft.trim() !== '') {
      event.preventDefault()
      add(draft)
    } else if (event.key === 'Backspace' && draft === '' && value.length > 0) {
      onValueChange(value.slice(0, -1))
    }
  }
  function handlePaste(event: ClipboardEvent<HTMLInputElement>) {
    const text = event.clipboardData.getData('text')
    if (!separator.test(text)) return
    event.preventDefault()
    add(draft + text)
  }

  return (
    <Field id={id} {...field}>
      {(control) => (
        <div
          className={classNames(
            'flex min-h-9 flex-wrap items-center gap-1.5 rounded-md border border-input bg-card px-1.5 py-[5px] transition-[border-color,box-shadow] duration-120 has-[input:focus-visible]:border-ring has-[input:focus-visible]:shadow-halo has-aria-invalid:border-destructive phone:min-h-[2.625rem]',
            disabled && 'border-dashed bg-muted',
          )}
        >
          {value.map((tag) => (
            <span
              key={tag}
              className="inline-flex h-6 max-w-full animate-fade items-center rounded-[5px] bg-secondary ps-2 text-small font-label text-secondary-foreground"
            >
              <span dir="auto" className="truncate">
                {tag}
              </span>
              <button
                type="button"
                aria-label={`Remove ${tag}`}
                disabled={disabled}
                onClick={() => onValueChange(value.filter((other) => other !== tag))}
                className="grid size-6 place-items-center rounded-[5px] hover:text-destructive"
              >
                <X aria-hidden size={12} />
              </button>
            </span>
          ))}
          <input
            {...control}
            dir="auto"
            value={draft}
            disabled={disabled}
            placeholder={value.length === 0 ? placeholder : undefined}
            onChange={handleChange}
            onKeyDown={handleKeyDown}
            onPaste={handlePaste}
            onBlur={() => add(draft)}
            enterKeyHint="enter"
            className="min-w-24 flex-1 bg-transparent px-1 text-body focus-visible:outline-hidden phone:text-lead"
          />
        </div>
      )}
    </Field>
  )
}
