import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Keeper } from '#contract/keepers/keepers.ts'
import type { Moment } from '#contract/keepers/moments.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { formatDay } from '../moments/format-day.ts'
import { MomentCard } from '../moments/moment-card.tsx'
import { useMoments } from '../moments/moment-queries.ts'
import { QueuedMoments } from '../moments/queued-moments.tsx'

const maxRecentMoments = 5

export function RecentDays({ keeper }: { keeper: Keeper }) {
  const { items, isPending, error, refetch, isRefetching } = useMoments(keeper, {})
  const days = [...Map.groupBy(items.slice(0, maxRecentMoments), ({ localDate }) => localDate)]
  const countMoments = (day: string) => items.filter(({ localDate }) => localDate === day).length
  const momentsPath = `/keeper/${keeper.id}/moments`
  if (isPending)
    return (
      <SkeletonGroup>
        <Skeleton className="mt-8 h-8 w-40" />
        <Skeleton className="mt-4 h-24" />
        <Skeleton className="mt-4 h-24" />
      </SkeletonGroup>
    )
  if (days.length === 0)
    return (
      <>
        <QueuedMoments keeper={keeper} />
        {error ? (
          <ErrorPanel
            reason={error}
            title="Moments couldn’t be loaded"
            onRetry={() => refetch()}
            retrying={isRefetching}
            className="mt-8"
          >
            Nothing you wrote is affected.
          </ErrorPanel>
        ) : (
          <EmptyPanel drawing="leaf" title="No moments yet" className="mt-8">
            A sentence is enough. The date and time are added automatically.
          </EmptyPanel>
        )}
      </>
    )
  return (
    <>
      <QueuedMoments keeper={keeper} />
      {days.map(([day, moments], index) => (
        <RecentDay key={day} keeper={keeper} day={day} count={countMoments(day)} moments={moments}>
          {index === 0 && (
            <Link to={momentsPath} className={`ms-auto ${quietLinkClasses}`}>
              All moments
            </Link>
          )}
        </RecentDay>
      ))}
    </>
  )
}

interface RecentDayProps {
  keeper: Keeper
  day: string
  /** Counts the whole day, including moments not listed here. */
  count: number
  moments: Moment[]
  children: ReactNode
}

function RecentDay({ keeper, day, count, moments, children }: RecentDayProps) {
  return (
    <section aria-label={formatDay(day)} className="mt-[30px]">
      <div className="mb-3 flex items-baseline gap-2.5">
        <h2>{formatDay(day)}</h2>
        <span className="text-ui text-muted-foreground">{count === 1 ? '1 moment' : `${count} moments`}</span>
        {children}
      </div>
      {moments.map((moment) => (
        <MomentCard key={moment.id} keeper={keeper} moment={moment} />
      ))}
    </section>
  )
}
