import { useId, useState } from 'react'
import { truncateText } from '#web/ui/text/truncate-text.ts'
import { AgentText } from '../agent-text.tsx'

const previewLimits = { characters: 1200, lines: 16 }

export function CollapsibleText({ text, className, isAnswer = false }: CollapsibleTextProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const preview = truncateText(text, previewLimits)
  const isLong = preview.length < text.length
  const visibleText = open || !isLong ? text : `${preview}…`
  return (
    <div className={className}>
      {isAnswer ? (
        <div id={id} className="wrap-anywhere">
          <AgentText text={visibleText} />
        </div>
      ) : (
        <p id={id} className="wrap-anywhere whitespace-pre-wrap">
          {visibleText}
        </p>
      )}
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
  /** Rendered as Markdown, as the answer of a model. */
  isAnswer?: boolean
}
