import { Link } from 'react-router'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { logsAddress } from '../agent-addresses.ts'
import { useLogs } from '../agent-queries.ts'
import { RecentRuns } from '../runs/recent-runs.tsx'

const shown = 8

/** What this person's agents did last, newest first. */
export function ThoughtsPanel({ personId }: { personId: string | undefined }) {
  const { data, error, isPending } = useLogs({ page: 1, pageSize: 20 })
  const mine = (data?.logs ?? []).filter((log) => log.user === null || log.user.id === personId).slice(0, shown)
  return (
    <section aria-label="Thoughts">
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2>Thoughts</h2>
        <Link to={logsAddress} className="rounded-xs text-small underline">
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
        ) : mine.length > 0 ? (
          <RecentRuns logs={mine} label="Newest runs" named />
        ) : (
          <p className="px-4 py-5 text-ui text-muted-foreground">
            {error ? `Error loading logs: ${error.message}` : 'Quiet so far. What your agents do shows up here.'}
          </p>
        )}
      </Card>
    </section>
  )
}
