import { ChevronRight } from 'lucide-react'

const maxPreviewLength = 160

export function Reasoning({ text, thinking = false }: { text: string; thinking?: boolean }) {
  const tail = text.slice(-maxPreviewLength)
  const latestText = text.length > maxPreviewLength ? tail.slice(tail.search(/\s/) + 1) : tail
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
        {/* Right-to-left, so that overflow hides the start of the line. */}
        <span aria-hidden dir="rtl" className="ms-1.5 min-w-0 truncate italic group-open/thought:hidden">
          <bdi>{thinking && latestText}</bdi>
        </span>
      </summary>
      <p className="mt-1 max-h-72 overflow-y-auto border-s-2 border-border ps-3 wrap-anywhere whitespace-pre-wrap">
        {text.trim()}
      </p>
    </details>
  )
}
