import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { RetryButton } from '#web/ui/controls/retry-button.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { logsPath } from '../agent-addresses.ts'
import { useLogs } from '../agent-queries.ts'
import { getReasonText } from '../runs/reason-text.ts'
import { RecentRuns } from '../runs/recent-runs.tsx'

const pageSize = 8

export function ThoughtsPanel({ children }: { children?: ReactNode }) {
  const { data, error, isPending, isFetching, refetch } = useLogs({ page: 1, pageSize: pageSize, whose: 'mine' })
  const logs = data?.logs ?? []
  return (
    <section aria-label="Thoughts">
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2>Thoughts</h2>
        <Link to={logsPath} className="rounded-xs text-small underline">
          View Logs
        </Link>
      </div>
      <Card padded={false} className="overflow-hidden">
        {isPending ? (
          <SkeletonGroup label="Loading runs" className="flex flex-col gap-3 p-4">
            <Skeleton className="h-9" />
            <Skeleton className="h-9" />
            <Skeleton className="h-9" />
          </SkeletonGroup>
        ) : logs.length > 0 ? (
          <RecentRuns logs={logs} label="Newest runs" showsAgentName />
        ) : error ? (
          <div role="alert" className="flex flex-wrap items-center gap-3 px-4 py-4 text-ui">
            <p className="min-w-0 flex-1 basis-40">Error loading logs: {getReasonText(error, 'Failed to load logs')}</p>
            <RetryButton busy={isFetching} onClick={() => refetch()} />
          </div>
        ) : (
          <p className="px-4 py-5 text-ui text-muted-foreground">Quiet so far. What your agents do shows up here.</p>
        )}
      </Card>
      {children}
    </section>
  )
}
