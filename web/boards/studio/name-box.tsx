import { useRef, useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { controlClasses } from '#web/ui/control-classes.ts'

interface NameBoxProps {
  value: string
  label: string
  /** On Enter or blur. */
  onDone: (name: string) => void
  onCancel: () => void
  className?: string
}

export function NameBox({ value, label, onDone, onCancel, className }: NameBoxProps) {
  const [name, setName] = useState(value)
  const isFinished = useRef(false)
  function finish(done: () => void) {
    if (isFinished.current) return
    isFinished.current = true
    done()
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
      onBlur={() => finish(() => onDone(name))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish(() => onDone(name))
        if (event.key !== 'Escape') return
        event.stopPropagation()
        finish(onCancel)
      }}
      className={classNames(controlClasses, 'h-8', className)}
    />
  )
}
