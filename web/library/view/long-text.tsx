import { useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'

const partLength = 100_000
const maxPrintedParts = 20

/** Renders in parts: a document may have fifty million characters. */
export function LongText({ text, label }: { text: string; label: string }) {
  const [parts, setParts] = useState(1)
  const visibleParts = usePrinting() ? Math.max(parts, maxPrintedParts) : parts
  const visibleText = text.slice(0, visibleParts * partLength)
  if (text === '') return <p className="py-6 text-center text-ui text-muted-foreground">This document is empty.</p>
  return (
    <>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        role="document"
        aria-label={label}
        className="max-h-[calc(100dvh-290px)] min-h-40 overflow-auto rounded-md border border-border bg-card px-4 py-3 font-mono text-code wrap-anywhere whitespace-pre-wrap focus-visible:-outline-offset-2"
      >
        {visibleText}
      </pre>
      {visibleText.length < text.length && (
        <div className="mt-2 flex flex-wrap items-center gap-2 text-small text-muted-foreground">
          <Button size="small" onClick={() => setParts(parts + 1)}>
            Show more
          </Button>
          {Math.floor((visibleText.length / text.length) * 100)}% of the text is shown.
        </div>
      )}
    </>
  )
}
