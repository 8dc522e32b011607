import { useQuery } from '@tanstack/react-query'
import { ArrowRight, Plus } from 'lucide-react'
import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { moments } from '#contract/keepers/moments.ts'
import { toPlainText } from '#contract/plain-text.ts'
import { call } from '#web/api/api.ts'
import { RetryButton } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { getDashboardPath, newKeeperPath } from '../keeper-addresses.ts'
import { keeperKey, type useKeepers } from '../keeper-queries.ts'
import { formatTimeSince, isWrittenToday } from './keeper-list-rules.ts'

/** A phone shows the first three. */
const maxVisibleKeepers = 6
const gridClasses = 'grid grid-cols-[repeat(auto-fill,minmax(min(20rem,100%),1fr))] gap-x-6 gap-y-5 phone:gap-y-3'

/** The latest keepers, for the root page. */
export function RootKeepers({ query }: { query: ReturnType<typeof useKeepers> }) {
  const { data: keepers, error, isRefetching, refetch } = query
  const latestKeepers = (keepers ?? [])
    .toSorted((a, b) => (b.lastEntryAt ?? b.createdAt).localeCompare(a.lastEntryAt ?? a.createdAt))
    .slice(0, maxVisibleKeepers)
  return (
    <section aria-labelledby="root-keepers" className="mb-7 phone:mb-5">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 phone:mb-2">
        <h2 id="root-keepers">Your keepers</h2>
        {latestKeepers.length > 0 && (
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
      {error !== null && !keepers && (
        <p className="flex flex-wrap items-center gap-3 text-ui">
          Failed to load keepers
          <RetryButton busy={isRefetching} onClick={() => refetch()} />
        </p>
      )}
      {keepers?.length === 0 && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2.5 text-muted-foreground">
          <span className="min-w-0 flex-1 basis-64">
            A keeper holds one part of your life: a house, a year, a piece of work. You have none yet.
          </span>
          <LinkButton to={newKeeperPath}>Create your first keeper</LinkButton>
        </p>
      )}
      {latestKeepers.length > 0 && (
        <ul aria-label="Your keepers" className={gridClasses}>
          {latestKeepers.map((keeper) => (
            <KeeperTile key={keeper.id} keeper={keeper} />
          ))}
        </ul>
      )}
    </section>
  )
}

function KeeperTile({ keeper }: { keeper: Keeper }) {
  const { id, title, lastEntryAt } = keeper
  const now = new Date()
  const wasWrittenToday = isWrittenToday(lastEntryAt, now)
  return (
    <li className="relative flex min-w-0 items-center gap-4 phone:gap-3 phone:nth-[n+4]:hidden">
      <Cover seed={id} width={69} height={92} ribbon={wasWrittenToday} className="phone:h-[60px] phone:w-[45px]" />
      <span className="min-w-0 flex-1">
        <Link
          dir="auto"
          to={getDashboardPath(id)}
          className="line-clamp-1 rounded-xs font-serif text-h3 font-medium wrap-anywhere after:absolute after:inset-0 hover:underline"
        >
          {title}
        </Link>
        <span className="block text-small text-muted-foreground">{formatLastWritten(lastEntryAt, now)}</span>
        {lastEntryAt && <LastLine keeperId={id} />}
      </span>
    </li>
  )
}

function formatLastWritten(lastEntryAt: string | null, now: Date): string {
  if (lastEntryAt === null) return 'Nothing written yet'
  return isWrittenToday(lastEntryAt, now) ? 'Written today' : `Last written ${formatTimeSince(lastEntryAt, now)}`
}

/** The latest moment as a quote; its space is reserved while it loads. */
function LastLine({ keeperId }: { keeperId: string }) {
  const { data: lastLine, isPending } = useQuery({
    queryKey: keeperKey(keeperId, 'moment', 'latest'),
    queryFn: async ({ signal }) => {
      const { items } = await call(moments.list, { params: { id: keeperId }, query: { limit: 1 }, signal })
      const [moment] = items
      return moment ? toPlainText(moment.body) || moment.title || 'A picture' : ''
    },
  })
  if (!isPending && !lastLine) return null
  return (
    <span
      dir="auto"
      className="mt-1 line-clamp-2 min-h-[2.625rem] font-serif text-body leading-[1.3125rem] text-muted-foreground italic wrap-anywhere phone:line-clamp-1 phone:min-h-[1.3125rem]"
    >
      {lastLine && <q>{lastLine}</q>}
    </span>
  )
}

export function RootKeepersSkeleton() {
  return (
    <section aria-labelledby="root-keepers">
      <h2 id="root-keepers" className="mb-3">
        Your keepers
      </h2>
      <SkeletonGroup className={gridClasses}>
        {[1, 2, 3].map((tile) => (
          <span key={tile} className="flex items-center gap-4 phone:gap-3">
            <Skeleton className="h-[92px] w-[69px] shrink-0 phone:h-[60px] phone:w-[45px]" />
            <span className="flex flex-1 flex-col gap-2">
              <Skeleton className="h-5 w-1/2" />
              <Skeleton className="h-4 w-4/5" />
            </span>
          </span>
        ))}
      </SkeletonGroup>
    </section>
  )
}
