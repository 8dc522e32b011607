import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { type WaitingInKeeper, type WaitingSummary, waiting } from '#contract/keepers/waiting.ts'
import { call } from '#web/api/api.ts'
import { withTimeout } from '#web/api/api-request.ts'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { keepersKey } from '../keeper-queries.ts'

const initialVisibleItems = 4
const itemsPerStep = 20

/** Limited by a timeout, because the keeper list is rendered together with it. */
export const fetchWaiting = (abortSignal: AbortSignal, timeoutMs?: number) =>
  call(waiting.show, { signal: withTimeout(abortSignal, timeoutMs) })

export const useWaiting = () =>
  useQuery({
    queryKey: [...keepersKey, 'waiting'],
    queryFn: ({ signal }) => fetchWaiting(signal),
  })

export interface WaitingItem {
  id: string
  title: string
  text: string
  /** The page where everything of this kind is. */
  to?: string
  action?: ReactNode
  /** Entries of a keeper that are decided here. */
  decision?: { kind: 'echo' | 'suggestion'; keeperId: string }
}

interface WaitingForYouProps {
  summary: WaitingSummary
  extraItems: readonly WaitingItem[]
}

/** Everything waiting across all keepers. Renders nothing when nothing is waiting. */
export function WaitingForYou({ summary, extraItems }: WaitingForYouProps) {
  const [limit, setLimit] = useState(initialVisibleItems)
  // Items with a new decision stay until the person leaves the page.
  const [decidedItems, setDecidedItems] = useState<ReadonlyMap<number, WaitingItem>>(new Map())
  const items = insertDecided([...toWaitingItems(summary), ...extraItems], decidedItems)
  if (items.length === 0) return null
  const hiddenCount = Math.max(0, items.length - limit)
  return (
    <section aria-labelledby="waiting-for-you" className="mb-6">
      <h2 id="waiting-for-you" className="mb-2">
        Waiting for you
      </h2>
      <ul aria-labelledby="waiting-for-you" className="border-t border-border">
        {items.slice(0, limit).map((item, index) => (
          <WaitingRow
            key={item.id}
            item={item}
            continuesTitle={items[index - 1]?.title === item.title}
            onDecided={() => setDecidedItems((previous) => new Map([...previous, [index, item]]))}
          />
        ))}
      </ul>
      {hiddenCount > 0 ? (
        <Button
          size="small"
          variant="plain"
          className="mt-2 -ms-2.5"
          onClick={() => setLimit((previous) => previous + itemsPerStep)}
        >
          Show {Math.min(hiddenCount, itemsPerStep)} more
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

/** Puts decided items that no longer wait back at their positions. */
export function insertDecided(
  items: readonly WaitingItem[],
  decidedItems: ReadonlyMap<number, WaitingItem>,
): WaitingItem[] {
  const result = [...items]
  for (const [index, item] of [...decidedItems].sort(([indexA], [indexB]) => indexA - indexB))
    if (!items.some(({ id }) => id === item.id)) result.splice(index, 0, { ...item, text: 'Done' })
  return result
}

const DecisionRow = lazyComponent(
  async () => (await import('./waiting-decision.tsx')).WaitingDecision,
  <Skeleton className="h-8 flex-1 phone:h-10" />,
)

interface WaitingRowProps {
  item: WaitingItem
  /** The row above has the same title. */
  continuesTitle: boolean
  onDecided: () => void
}

function WaitingRow({ item, continuesTitle, onDecided }: WaitingRowProps) {
  const { title, text, to, action, decision } = item
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-1 border-b border-hairline py-2.5 text-ui">
      <span
        dir="auto"
        className="min-w-0 basis-52 py-1 font-serif text-h3 font-medium wrap-break-word phone:basis-full phone:py-0"
      >
        <span className={continuesTitle ? 'sr-only' : undefined}>{title}</span>
      </span>
      <span className="flex min-h-8 min-w-0 flex-1 flex-wrap items-center gap-x-5 gap-y-1.5">
        <span className={classNames('min-w-0 basis-56', decision ? 'phone:basis-full' : 'phone:flex-1')}>
          {to ? (
            <Link
              to={to}
              className="tap-area rounded-xs underline decoration-border decoration-[1.5px] underline-offset-[3px] hover:decoration-foreground"
            >
              {text}
              <span className="sr-only"> in {title}</span>
            </Link>
          ) : (
            text
          )}
        </span>
        {decision && <DecisionRow {...decision} keeperTitle={title} onDecided={onDecided} />}
        {action}
      </span>
    </li>
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

/** One item per keeper and kind, then one per draft of another person. */
export function toWaitingItems({ keepers, toReview }: WaitingSummary): WaitingItem[] {
  return [...keepers.flatMap(toKeeperItems), ...toReview.map(toReviewItem)]
}

function toKeeperItems({
  keeperId,
  title,
  echoesReady,
  draftSubmittedAt,
  suggestions,
}: WaitingInKeeper): WaitingItem[] {
  const keeperPath = `/keeper/${encodeURIComponent(keeperId)}`
  const items: (WaitingItem | false)[] = [
    echoesReady > 0 && {
      id: `echo ${keeperId}`,
      title,
      to: `${keeperPath}/echo-writer`,
      text: pluralize(echoesReady, 'echo is ready', 'echoes are ready'),
      decision: { kind: 'echo', keeperId },
    },
    draftSubmittedAt !== null && {
      id: `draft ${keeperId}`,
      title,
      to: `${keeperPath}/memory`,
      text: 'A SOLE draft to review',
      action: <ReviewLink to={`${keeperPath}/memory`} title={title} />,
    },
    suggestions > 0 && {
      id: `suggestion ${keeperId}`,
      title,
      to: `${keeperPath}/reflection-journal?tab=suggested`,
      text: `${pluralize(suggestions, 'reflection')} to keep or let rest`,
      decision: { kind: 'suggestion', keeperId },
    },
  ]
  return items.filter((item) => item !== false)
}

function toReviewItem({ keeperId, title, ownerName }: WaitingSummary['toReview'][number]): WaitingItem {
  // Reviews open on the SOLE page of the reviewer's first keeper, which has the alias `1`.
  const to = `/keeper/1/memory?review=${encodeURIComponent(keeperId)}`
  return {
    id: `review ${keeperId}`,
    title,
    to,
    text: `A SOLE draft by ${ownerName ?? 'someone else'} to review`,
    action: <ReviewLink to={to} title={title} />,
  }
}

function ReviewLink({ to, title }: { to: string; title: string }) {
  return (
    <LinkButton to={to} size="small" className="ms-auto">
      Review
      <span className="sr-only"> the SOLE draft in {title}</span>
    </LinkButton>
  )
}
