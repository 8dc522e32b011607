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
  const isOver = useRef(false)
  function end(done: () => void) {
    if (isOver.current) return
    isOver.current = true
    done()
  }
  return (
    <input
      ref={(input) => {
        if (!input || document.activeElement === input || isOver.current) return
        input.focus()
        input.select()
      }}
      aria-label={label}
      value={name}
      maxLength={120}
      autoComplete="off"
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={() => end(() => onDone(name))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end(() => onDone(name))
        if (event.key !== 'Escape') return
        event.stopPropagation()
        end(onCancel)
      }}
      className={classNames(controlClasses, 'h-8', className)}
    />
  )
}
