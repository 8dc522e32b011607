import { use } from 'react'
import { Link } from 'react-router'
import { isCitation, type RunSource } from '#contract/agents/runs.ts'
import type { Notes } from './markdown-text.tsx'
import { OnCustomHostContext } from './on-custom-host.ts'

const sourceLabels: Record<string, string> = { sole: 'SOLE', card: 'Memory card' }

/** The sources that the marks in an answer refer to. */
export function getNotes(sources: RunSource[], prefix: string): Notes | undefined {
  const citations = sources.filter(isCitation)
  if (citations.length === 0) return undefined
  const quoteAddresses = citations.flatMap(({ n, quote, href }) => (quote && href ? [[n, href] as const] : []))
  return { prefix, numbers: citations.map(({ n }) => n), quoteAddresses: new Map(quoteAddresses) }
}

/** Sources by number; each has the id `prefix-n`. */
export function FootNotes({ sources, prefix }: { sources: RunSource[]; prefix: string }) {
  const citations = sources.filter(isCitation)
  if (citations.length === 0) return null
  return (
    <ol
      aria-label="Sources"
      className="mt-3 grid list-none grid-cols-2 gap-x-6 gap-y-2.5 border-t border-border pt-3 phone:grid-cols-1"
    >
      {citations.map((source) => (
        <li
          key={source.n}
          id={`${prefix}-${source.n}`}
          tabIndex={-1}
          className="flex min-w-0 scroll-my-24 gap-2 rounded-sm outline-offset-4"
        >
          <span className="shrink-0 font-sans text-[0.6875rem] leading-[1rem] font-semibold text-ribbon-text">
            {source.n}
          </span>
          <span className="min-w-0">
            <span className="block text-[1rem] leading-[1.3125rem] font-medium wrap-anywhere">
              <SourceTitle source={source} />
            </span>
            <span className="block font-sans text-small text-muted-foreground">{getEntityLabel(source.entity)}</span>
            {source.quote && (
              <q dir="auto" className="line-clamp-2 font-sans text-small text-muted-foreground">
                {source.quote}
              </q>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

function SourceTitle({ source: { title, href } }: { source: RunSource }) {
  const isOnCustomHost = use(OnCustomHostContext)
  // Only app paths: a source must not link outside Keeper.
  if (isOnCustomHost || !href || !/^\/(?!\/)/.test(href)) return title
  return (
    <Link
      dir="auto"
      to={href}
      className="rounded-xs underline decoration-input underline-offset-[3px] hover:decoration-current"
    >
      {title}
    </Link>
  )
}

function getEntityLabel(entity: string): string {
  return sourceLabels[entity] ?? entity.charAt(0).toUpperCase() + entity.slice(1).replaceAll('_', ' ')
}
