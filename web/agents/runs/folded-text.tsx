import { useId, useState } from 'react'

const shownCharacters = 1200
const shownLines = 16

export interface FoldedTextProps {
  text: string
  className?: string
}

/** Text as it was written; a long one only its beginning, until it is asked for. */
export function FoldedText({ text, className }: FoldedTextProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const beginning = beginningOf(text)
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

/** Cut at a character as people count them. Shorter than the text only where that saves something. */
function beginningOf(text: string): string {
  const lines = text.split('\n')
  const byLines = lines.length > shownLines + 2 ? lines.slice(0, shownLines).join('\n') : text
  if (byLines.length <= shownCharacters * 1.2) return byLines
  return Array.from(byLines.slice(0, shownCharacters + 1))
    .slice(0, -1)
    .join('')
}
