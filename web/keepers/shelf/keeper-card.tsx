import { GitCommitHorizontal, Settings2, Sparkle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { ApiError } from '#web/api/api.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { formatTime } from '#web/ui/text/format-time.ts'
import { getDashboardPath, getMetadataPath, newKeeperPath } from '../keeper-addresses.ts'
import { getPatternLabel, hasStandingStory } from '../keeper-labels.ts'
import type { useKeepers } from '../keeper-queries.ts'
import { RemoveSample } from '../sample/remove-sample.tsx'
import { SampleButton } from '../sample/sample-button.tsx'
import { formatKeeperContents, formatTimeSince, getTypeName, isWrittenToday } from './keeper-list-rules.ts'

interface KeeperCardProps {
  keeper: Keeper
  /** Links to the metadata and offers Configure and Delete. */
  isArchitect: boolean
  onDelete: (keeper: Keeper) => void
}

export function KeeperCard({ keeper, isArchitect, onDelete }: KeeperCardProps) {
  const now = new Date()
  const { lastEntryAt } = keeper
  const isSample = isSampleKeeper(keeper)
  const wasWrittenToday = isWrittenToday(lastEntryAt, now)
  return (
    <li data-item className="group relative flex min-w-0 items-stretch gap-[18px]">
      <Cover
        seed={keeper.id}
        width={132}
        height={176}
        ribbon={wasWrittenToday}
        className="phone:h-[128px] phone:w-[96px] transition-shadow duration-120 group-hover:shadow-e3"
      />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-1.5">
        <h2 className="max-w-full font-serif text-[1.25rem] leading-[1.625rem] font-medium">
          <Link
            dir="auto"
            to={isArchitect ? getMetadataPath(keeper.id) : getDashboardPath(keeper.id)}
            className="line-clamp-2 rounded-xs wrap-anywhere after:absolute after:inset-0"
          >
            {keeper.title}
          </Link>
        </h2>
        <p dir="auto" className="line-clamp-2 text-ui text-muted-foreground wrap-anywhere">
          {keeper.purpose}
        </p>
        <p className="flex max-w-full flex-wrap gap-1.5">
          <Badge className="max-w-full overflow-hidden">{getTypeName(keeper)}</Badge>
          <PatternBadge keeper={keeper} />
          {isSample && <Badge tone="warning">Sample</Badge>}
        </p>
        <p className="mt-auto pt-1 text-small text-muted-foreground tabular-nums">
          <span className="block">
            {formatKeeperContents(keeper)}
            {wasWrittenToday && <span className="sr-only">, written today</span>}
          </span>
          {lastEntryAt && (
            <time dateTime={lastEntryAt} title={formatTime(lastEntryAt, 'date-time')} className="block">
              Last written {formatTimeSince(lastEntryAt, now)}
            </time>
          )}
        </p>
        <div className="relative flex flex-wrap items-center gap-x-1 gap-y-1.5">
          {isArchitect ? (
            <>
              <LinkButton
                size="small"
                to={getMetadataPath(keeper.id)}
                aria-label={`Configure ${keeper.title}`}
                aria-keyshortcuts="E"
                icon={<Settings2 aria-hidden size={14} />}
              >
                Configure
              </LinkButton>
              {!isSample && (
                <Button
                  size="small"
                  variant="danger-text"
                  aria-label={`Delete ${keeper.title}`}
                  onClick={() => onDelete(keeper)}
                >
                  Delete
                </Button>
              )}
            </>
          ) : (
            <LinkButton size="small" to={getDashboardPath(keeper.id)} aria-label={`View ${keeper.title}`}>
              View
            </LinkButton>
          )}
          {isSample && <RemoveSample keeper={keeper} />}
        </div>
      </div>
    </li>
  )
}

export function PatternBadge({ keeper }: { keeper: Keeper }) {
  const Icon = hasStandingStory(keeper) ? Sparkle : GitCommitHorizontal
  return (
    <Badge tone="outlined" icon={<Icon aria-hidden size={12} />} className="max-w-full overflow-hidden">
      {getPatternLabel(keeper.memoryPattern)}
    </Badge>
  )
}

interface KeepersStatusProps {
  query: ReturnType<typeof useKeepers>
  skeleton?: ReactNode
}

/** Replaces keepers that aren't loaded; appears above them if a refetch failed. */
export function KeepersStatus({ query, skeleton = <KeepersSkeleton /> }: KeepersStatusProps) {
  const { error, isPending } = query
  if (isPending) return skeleton
  const message = error instanceof ApiError ? error.serverMessage : error?.message
  return (
    <QueryError reportsRefetch query={query} title="Failed to load keepers" details={error?.message} className="mb-5">
      {message || 'An error occurred.'} Nothing you wrote is affected.
    </QueryError>
  )
}

function KeepersSkeleton() {
  return (
    <SkeletonGroup>
      <Skeleton className="h-64" />
    </SkeletonGroup>
  )
}

export function NoKeepers() {
  return (
    <EmptyPanel
      drawing="leaf"
      title="The shelf is empty"
      action={
        <span className="flex flex-wrap items-center justify-center gap-2">
          <LinkButton to={newKeeperPath} variant="primary">
            Create your first keeper
          </LinkButton>
          <SampleButton />
        </span>
      }
    >
      What you write in a keeper stays yours. Start your own, or look around in a sample first.
    </EmptyPanel>
  )
}

export function KeeperListSkeleton() {
  return (
    <SkeletonGroup className="grid grid-cols-[repeat(auto-fill,minmax(min(21.25rem,100%),1fr))] gap-x-8 gap-y-9">
      {[1, 2, 3].map((row) => (
        <span key={row} className="flex gap-[18px]">
          <Skeleton className="h-44 w-33 shrink-0" />
          <span className="flex flex-1 flex-col gap-2.5">
            <Skeleton className="h-6 w-3/4" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-1/2" />
          </span>
        </span>
      ))}
    </SkeletonGroup>
  )
}
