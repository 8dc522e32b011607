import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { stripMarkdown } from '#contract/plain-text.ts'
import { getDashboardPath } from '#web/keepers/keeper-addresses.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'

const AskKip = lazyComponent(async () => (await import('./ask-kip.tsx')).AskKip)

export interface SavedMoment {
  id: string
  body: string
  keeperId: string
  keeperTitle: string
  state: 'sent' | 'queued'
  /** Whether it started the first keeper. */
  isFirst: boolean
}

/** The moment just saved, and the offer to ask Kip about it. */
export function SavedMomentPanel({ savedMoment }: { savedMoment: SavedMoment }) {
  const { id, body, keeperId, keeperTitle, state, isFirst } = savedMoment
  const statusRef = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (state === 'queued') statusRef.current?.focus()
  }, [state])
  return (
    <section
      aria-label="Your moment"
      className="mb-6 max-w-[788px] animate-fade border-s-2 border-ribbon ps-5 phone:ps-4"
    >
      <blockquote dir="auto" className="line-clamp-4 font-serif text-read whitespace-pre-wrap wrap-anywhere">
        {stripMarkdown(body).text.trim()}
      </blockquote>
      <p ref={statusRef} tabIndex={-1} role="status" className="mt-1.5 text-ui text-muted-foreground outline-hidden">
        {state === 'sent' ? (
          <>
            Saved in{' '}
            <Link dir="auto" to={getDashboardPath(keeperId)} className={quietLinkClasses}>
              {keeperTitle}
            </Link>
            .
          </>
        ) : (
          'Saved in this browser. It will be sent as soon as the server can be reached.'
        )}
      </p>
      {state === 'sent' && <AskKip key={id} momentText={body} takesFocus={isFirst} />}
    </section>
  )
}
