import { useState } from 'react'
import { flushSync } from 'react-dom'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { truncateText } from '#web/ui/text/truncate-text.ts'
import { WrittenText } from '#web/ui/text/written-text.tsx'

const excerptLimits = { characters: 2000, lines: 40 }

/** Shows an excerpt of a very long moment until it is expanded. */
export function MomentBody({ text }: { text: string }) {
  const excerpt = truncateText(text, excerptLimits)
  if (excerpt.length === text.length) return <WrittenText text={text} />
  return <LongBody text={text} excerpt={trimToGap(excerpt)} />
}

function LongBody({ text, excerpt }: { text: string; excerpt: string }) {
  const [open, setOpen] = useState(false)
  const printing = usePrinting()
  return (
    <>
      <WrittenText text={open || printing ? text : excerpt} />
      <button
        type="button"
        data-chrome
        aria-expanded={open}
        onClick={({ currentTarget }) => {
          flushSync(() => setOpen(!open))
          // Collapsing long text can move the button far out of view.
          if (open) currentTarget.scrollIntoView({ block: 'nearest' })
        }}
        className={`mt-1 min-h-6 font-sans not-italic ${quietLinkClasses}`}
      >
        {open ? 'Show less' : 'Show more'}
      </button>
    </>
  )
}

/** Cuts at a paragraph end in the last third, otherwise after a word with an ellipsis. */
function trimToGap(text: string): string {
  const paragraph = text.lastIndexOf('\n\n')
  if (paragraph > text.length * 0.67) return text.slice(0, paragraph)
  const word = text.lastIndexOf(' ')
  return `${text.slice(0, word > text.length * 0.9 ? word : undefined).trimEnd()}…`
}
