import { ArrowRight, Plus } from 'lucide-react'
import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { getDashboardPath, newKeeperPath } from '../keeper-addresses.ts'
import { useKeepers } from '../keeper-queries.ts'
import { formatTimeSince, isWrittenToday } from './keeper-list-rules.ts'
import type { WaitingLine } from './waiting-for-you.tsx'
import { useWaiting, WaitingForYou, WaitingLoadError } from './waiting-for-you.tsx'

const maxVisibleKeepers = 5

/** The latest keepers and everything waiting in them, for the root page. */
export function RootKeepers({ extraLines }: { extraLines: WaitingLine[] }) {
  const { data: keepers, error, isPending, refetch, isRefetching } = useKeepers()
  const waitingQuery = useWaiting()
  // Rendered together, so that the content below shifts only once.
  if (isPending || (waitingQuery.isPending && waitingQuery.errorUpdateCount === 0)) return <LatestKeepersSkeleton />
  return (
    <>
      <LatestKeepers keepers={keepers} hasFailed={error !== null} retrying={isRefetching} onRetry={refetch} />
      {waitingQuery.data ? (
        <WaitingForYou summary={waitingQuery.data} extraLines={extraLines} />
      ) : (
        keepers && <WaitingLoadError busy={waitingQuery.isFetching} onRetry={() => waitingQuery.refetch()} />
      )}
    </>
  )
}

interface LatestKeepersProps {
  keepers: Keeper[] | undefined
  hasFailed: boolean
  retrying: boolean
  onRetry: () => unknown
}

function LatestKeepers({ keepers, hasFailed, retrying, onRetry }: LatestKeepersProps) {
  const now = new Date()
  const latestKeepers = (keepers ?? [])
    .toSorted((a, b) => (b.lastEntryAt ?? b.createdAt).localeCompare(a.lastEntryAt ?? a.createdAt))
    .slice(0, maxVisibleKeepers)
  return (
    <section aria-labelledby="root-keepers" className="mb-6">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="root-keepers">Your keepers</h2>
        {keepers && keepers.length > 0 && (
          <div className="flex flex-wrap gap-1">
            <LinkButton to="/keeper" size="small" variant="plain" icon={<ArrowRight aria-hidden size={14} />}>
              All Keepers
            </LinkButton>
            <LinkButton to={newKeeperPath} size="small" icon={<Plus aria-hidden size={14} />}>
              New Keeper
            </LinkButton>
          </div>
        )}
      </div>
      {hasFailed && !keepers && (
        <p className="flex flex-wrap items-center gap-3 text-ui">
          Failed to load keepers
          <RetryButton busy={retrying} onClick={onRetry} />
        </p>
      )}
      {keepers?.length === 0 && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2.5 text-muted-foreground">
          <span className="min-w-0 flex-1 basis-64">
            A keeper holds one part of your life: a house, a year, a piece of work. You have none yet.
          </span>
          <LinkButton to={newKeeperPath} variant="primary">
            Create your first keeper
          </LinkButton>
        </p>
      )}
      {latestKeepers.length > 0 && (
        <ul
          aria-label="Your keepers"
          className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,200px),1fr))] gap-x-5 gap-y-4"
        >
          {latestKeepers.map((keeper) => {
            const wasWrittenToday = isWrittenToday(keeper.lastEntryAt, now)
            return (
              <li key={keeper.id} className="relative flex min-w-0 items-center gap-3">
                <Cover seed={keeper.id} width={60} height={80} ribbon={wasWrittenToday} />
                <span className="min-w-0">
                  <Link
                    to={getDashboardPath(keeper.id)}
                    className="line-clamp-2 rounded-xs font-serif text-h3 font-medium wrap-break-word after:absolute after:inset-0 hover:underline"
                  >
                    {keeper.title}
                  </Link>
                  <span className="block text-small text-muted-foreground">
                    {wasWrittenToday
                      ? 'Written today'
                      : keeper.lastEntryAt
                        ? `Last written ${formatTimeSince(keeper.lastEntryAt, now)}`
                        : 'Nothing written yet'}
                  </span>
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

function LatestKeepersSkeleton() {
  return (
    <section aria-labelledby="root-keepers" className="mb-6">
      <h2 id="root-keepers" className="mb-3">
        Your keepers
      </h2>
      <SkeletonGroup>
        <Skeleton className="h-[88px] w-64 max-w-full" />
      </SkeletonGroup>
    </section>
  )
}
