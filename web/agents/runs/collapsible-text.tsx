import { useId, useState } from 'react'
import { truncateText } from '#web/ui/text/truncate-text.ts'

const previewLimits = { characters: 1200, lines: 16 }

export function CollapsibleText({ text, className }: CollapsibleTextProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const preview = truncateText(text, previewLimits)
  const isLong = preview.length < text.length
  return (
    <div className={className}>
      <p id={id} className="wrap-anywhere whitespace-pre-wrap">
        {open || !isLong ? text : `${preview}…`}
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

export interface CollapsibleTextProps {
  text: string
  className?: string
}
