import { type ComponentType, createContext, use, useState } from 'react'
import { flushSync } from 'react-dom'
import { quietLink } from '#web/ui/quiet-link.ts'
import { truncateText } from '#web/ui/truncate-text.ts'
import { usePrinting } from '../use-printing.ts'

/** The Markdown renderer, provided by the page; the default shows plain text. */
export const MomentMarkdown = createContext<ComponentType<{ text: string }>>(({ text }) => (
  <p className="wrap-break-word whitespace-pre-wrap">{text}</p>
))

const excerptLimits = { characters: 2000, lines: 40 }

/** Shows an excerpt of a very long moment until it is expanded. */
export function MomentBody({ text }: { text: string }) {
  const Markdown = use(MomentMarkdown)
  const excerpt = truncateText(text, excerptLimits)
  if (excerpt.length === text.length) return <Markdown text={text} />
  return <LongBody text={text} excerpt={trimAtBreak(excerpt)} />
}

function LongBody({ text, excerpt }: { text: string; excerpt: string }) {
  const Markdown = use(MomentMarkdown)
  const [isExpanded, setIsExpanded] = useState(false)
  const printing = usePrinting()
  return (
    <>
      <Markdown text={isExpanded || printing ? text : excerpt} />
      <button
        type="button"
        data-chrome
        aria-expanded={isExpanded}
        onClick={({ currentTarget }) => {
          flushSync(() => setIsExpanded(!isExpanded))
          // Collapsing long text can move the button far out of view.
          if (isExpanded) currentTarget.scrollIntoView({ block: 'nearest' })
        }}
        className={`mt-1 min-h-6 font-sans not-italic ${quietLink}`}
      >
        {isExpanded ? 'Show less' : 'Show more'}
      </button>
    </>
  )
}

/** Cuts at a paragraph end in the last third, otherwise after a word with an ellipsis. */
function trimAtBreak(text: string): string {
  const lastParagraphBreak = text.lastIndexOf('\n\n')
  if (lastParagraphBreak > text.length * 0.67) return text.slice(0, lastParagraphBreak)
  const lastSpace = text.lastIndexOf(' ')
  return `${text.slice(0, lastSpace > text.length * 0.9 ? lastSpace : undefined).trimEnd()}…`
}
