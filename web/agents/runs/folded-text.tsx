import { useId, useState } from 'react'
import { beginningOf } from '#web/ui/beginning-of.ts'

const shown = { characters: 1200, lines: 16 }

export interface FoldedTextProps {
  text: string
  className?: string
}

/** Long text is collapsed to its beginning. */
export function FoldedText({ text, className }: FoldedTextProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const beginning = beginningOf(text, shown)
  const isLong = beginning.length < text.length
  return (
    <div className={className}>
      <p id={id} className="wrap-anywhere whitespace-pre-wrap">
        {open || !isLong ? text : `${beginning}…`}
      </p>
      {isLong && (
        <button
          type="button"
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
          className="mt-1 min-h-6 rounded-xs text-small font-label underline underline-offset-2"
        >
          {open ? 'Show less' : `Show all ${text.length.toLocaleString('en-US')} characters`}
        </button>
      )}
    </div>
  )
}
