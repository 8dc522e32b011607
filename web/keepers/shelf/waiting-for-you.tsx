import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { type WaitingInKeeper, type WaitingSummary, waiting } from '#contract/keepers/waiting.ts'
import { call } from '#web/api/api.ts'
import { withTimeout } from '#web/api/api-request.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { keepersKey } from '../keeper-queries.ts'

const maxVisibleLines = 3

/** Limited by a timeout, because the keeper list is rendered together with it. */
export const fetchWaiting = (abortSignal: AbortSignal, timeoutMs?: number) =>
  call(waiting.show, { signal: withTimeout(abortSignal, timeoutMs) })

export const useWaiting = () =>
  useQuery({
    queryKey: [...keepersKey, 'waiting'],
    queryFn: ({ signal }) => fetchWaiting(signal),
  })

/** Everything waiting across all keepers. Renders nothing when nothing is waiting. */
export function WaitingForYou({ summary, extraLines }: { summary: WaitingSummary; extraLines: WaitingLine[] }) {
  const [showsAll, setShowsAll] = useState(false)
  const lines = [...toWaitingLines(summary), ...extraLines]
  if (lines.length === 0) return null
  const visibleLines = showsAll ? lines : lines.slice(0, maxVisibleLines)
  const hiddenCount = lines.length - visibleLines.length
  return (
    <section aria-labelledby="waiting-for-you" className="mb-6">
      <h2 id="waiting-for-you" className="mb-2">
        Waiting for you
      </h2>
      <ul aria-labelledby="waiting-for-you" className="border-t border-border">
        {visibleLines.map(({ keeperId, title, links, action }) => (
          <li
            key={`${keeperId} ${links[0]?.to}`}
            className="flex flex-wrap items-baseline gap-x-6 gap-y-1 border-b border-hairline py-2.5"
          >
            <span className="min-w-0 basis-56 font-serif text-h3 font-medium wrap-break-word phone:basis-full">
              {title}
            </span>
            <span className="flex min-w-0 flex-1 flex-wrap gap-x-5 gap-y-1 text-ui">
              {links.map(({ to, text }) => (
                <Link
                  key={to}
                  to={to}
                  className="rounded-xs underline decoration-border decoration-[1.5px] underline-offset-[3px] hover:decoration-foreground"
                >
                  {text}
                  <span className="sr-only"> in {title}</span>
                </Link>
              ))}
            </span>
            {action}
          </li>
        ))}
      </ul>
      {hiddenCount > 0 ? (
        <Button size="small" variant="plain" className="mt-2 -ms-2.5" onClick={() => setShowsAll(true)}>
          Show {hiddenCount} more
        </Button>
      ) : (
        summary.moreKeepers > 0 && (
          <p className="mt-2 text-small text-muted-foreground">
            More is waiting in {pluralize(summary.moreKeepers, 'other keeper')}. Their dashboards show it.
          </p>
        )
      )}
    </section>
  )
}

export function WaitingLoadError({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  return (
    <p className="mb-6 flex flex-wrap items-center gap-3 text-ui">
      Items waiting for you couldn’t be loaded.
      <RetryButton busy={busy} onClick={onRetry} />
    </p>
  )
}

export interface WaitingLine {
  keeperId: string
  title: string
  links: { to: string; text: string }[]
  action?: ReactNode
}

/** One line per keeper, then one per draft of another person. */
export function toWaitingLines({ keepers, toReview }: WaitingSummary): WaitingLine[] {
  return [...keepers.map(toWaitingLine), ...toReview.map(toReviewLine)]
}

function toWaitingLine({ keeperId, title, echoesReady, draftSubmittedAt, suggestions }: WaitingInKeeper): WaitingLine {
  const keeperPath = `/keeper/${encodeURIComponent(keeperId)}`
  const links = [
    echoesReady > 0 && {
      to: `${keeperPath}/echo-writer`,
      text: pluralize(echoesReady, 'echo is ready', 'echoes are ready'),
    },
    draftSubmittedAt !== null && { to: `${keeperPath}/memory`, text: 'A SOLE draft to review' },
    suggestions > 0 && {
      to: `${keeperPath}/reflection-journal?tab=suggested`,
      text: `${pluralize(suggestions, 'reflection')} to keep or let rest`,
    },
  ]
  return { keeperId, title, links: links.filter((link) => link !== false) }
}

function toReviewLine({ keeperId, title, ownerName }: WaitingSummary['toReview'][number]): WaitingLine {
  // Reviews open on the reviewer's own SOLE page.
  const to = `/keeper/1/memory?review=${encodeURIComponent(keeperId)}`
  return { keeperId, title, links: [{ to, text: `A SOLE draft by ${ownerName ?? 'someone else'} to review` }] }
}
