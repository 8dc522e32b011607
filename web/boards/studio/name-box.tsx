import { useRef, useState } from 'react'
import { controlClasses } from '#web/ui/controls/control-classes.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'

interface NameBoxProps {
  value: string
  label: string
  /** On Enter or blur. */
  onSubmit: (name: string) => void
  onCancel: () => void
  className?: string
}

export function NameBox({ value, label, onSubmit, onCancel, className }: NameBoxProps) {
  const [name, setName] = useState(value)
  const isFinished = useRef(false)
  function finishEditing(action: () => void) {
    if (isFinished.current) return
    isFinished.current = true
    action()
  }
  return (
    <input
      ref={(input) => {
        if (!input || document.activeElement === input || isFinished.current) return
        input.focus()
        input.select()
      }}
      aria-label={label}
      value={name}
      maxLength={120}
      autoComplete="off"
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={() => finishEditing(() => onSubmit(name))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finishEditing(() => onSubmit(name))
        if (event.key !== 'Escape') return
        event.stopPropagation()
        finishEditing(onCancel)
      }}
      className={classNames(controlClasses, 'h-8', className)}
    />
  )
}
