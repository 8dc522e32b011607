import type { ReactNode } from 'react'
import { CopyButton } from '../controls/copy-button.tsx'
import { classNames } from '../hooks/class-names.ts'

export interface CodeBlockProps {
  label: string
  value: unknown
  copyable?: boolean
  className?: string
}

export function CodeBlock({ label, value, copyable = true, className }: CodeBlockProps) {
  const isJson = typeof value !== 'string'
  const text = isJson ? (JSON.stringify(value, null, 2) ?? 'undefined') : value
  return (
    <div className={classNames('relative min-w-0', className)}>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-md border border-border bg-muted focus-visible:-outline-offset-2"
      >
        <pre
          className={classNames(
            'py-2.5 ps-3.5 font-mono text-code wrap-anywhere whitespace-pre-wrap',
            copyable ? 'pe-[2.75rem]' : 'pe-3.5',
          )}
        >
          <code>{isJson ? highlightJson(text) : text}</code>
        </pre>
      </section>
      {copyable && (
        <div className="absolute end-1.5 top-1.5 rounded-sm bg-muted" data-chrome>
          <CopyButton text={text} label={`Copy ${label}`} />
        </div>
      )}
    </div>
  )
}

/** Strings, with the colon after a key, and other values. */
const jsonTokenPattern = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

function highlightJson(json: string): ReactNode[] {
  const parts: ReactNode[] = []
  let position = 0
  for (const match of json.matchAll(jsonTokenPattern)) {
    parts.push(json.slice(position, match.index))
    const [token, quotedText, colon] = match
    const valueClass = quotedText ? 'text-success' : 'text-warning'
    const tokenClass = colon ? 'text-info' : valueClass
    parts.push(
      <span key={match.index} className={tokenClass}>
        {quotedText ?? token}
      </span>,
      colon,
    )
    position = match.index + token.length
  }
  parts.push(json.slice(position))
  return parts
}
