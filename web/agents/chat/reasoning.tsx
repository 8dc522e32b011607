import { ChevronRight } from 'lucide-react'

/** What stands in one line while it comes. */
const maxLatest = 160

/** What the model thought for an answer. Folded; while it thinks, its newest words stand beside the title. */
export function Reasoning({ text, thinking = false }: { text: string; thinking?: boolean }) {
  const end = text.slice(-maxLatest)
  const latest = text.length > maxLatest ? end.slice(end.search(/\s/) + 1) : end
  return (
    <details className="group/thought mb-2 font-sans text-ui text-muted-foreground">
      <summary className="-ms-1 flex min-h-6 max-w-full cursor-pointer list-none items-center gap-1 rounded-sm select-none [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          size={14}
          className="shrink-0 transition-transform duration-120 group-open/thought:rotate-90 rtl:-scale-x-100"
        />
        <span className={`shrink-0 font-label ${thinking ? 'text-foreground' : ''}`}>
          {thinking ? 'Thinking…' : 'Thought'}
        </span>
        {/* The end of the line is what counts, so the line begins at its end. */}
        <span aria-hidden dir="rtl" className="ms-1.5 min-w-0 truncate italic group-open/thought:hidden">
          <bdi>{thinking && latest}</bdi>
        </span>
      </summary>
      <p className="mt-1 max-h-72 overflow-y-auto border-s-2 border-border ps-3 wrap-anywhere whitespace-pre-wrap">
        {text.trim()}
      </p>
    </details>
  )
}
