import { CopyButton } from '#web/ui/controls/copy-button.tsx'

interface CodeTextProps {
  label: string
  text: string
}

/** Without the colors of `CodeBlock`: an answer can have 200,000 characters. */
export function CodeText({ label, text }: CodeTextProps) {
  return (
    <div className="relative mt-2 min-w-0">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-md border border-border bg-muted focus-visible:-outline-offset-2"
      >
        <pre className="py-2.5 ps-3.5 pe-11 font-mono text-code wrap-anywhere whitespace-pre-wrap">{text}</pre>
      </section>
      <div className="absolute end-1.5 top-1.5 rounded-sm bg-muted" data-chrome>
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
