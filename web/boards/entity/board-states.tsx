import type { UseQueryResult } from '@tanstack/react-query'
import { QueryError } from '#web/queries/query-error.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'

export function BoardSkeleton() {
  return (
    <SkeletonGroup label="Loading the board" className="grid gap-4">
      <Skeleton className="h-12" />
      <Skeleton className="h-[460px] rounded-lg" />
    </SkeletonGroup>
  )
}

export function SampleNote() {
  return (
    <Banner tone="info" className="mb-4">
      This is a read-only sample.
    </Banner>
  )
}

interface BoardPendingProps {
  queries: readonly Pick<UseQueryResult, 'data' | 'error' | 'isFetching' | 'refetch'>[]
}

/** Shown until all queries have data. */
export function BoardPending({ queries }: BoardPendingProps) {
  const failed = queries.find(({ data, error }) => data === undefined && error !== null)
  if (!failed) return <BoardSkeleton />
  return (
    <QueryError query={failed} title="Error Loading Board" retryLabel="Try Again">
      {failed.error?.message}
    </QueryError>
  )
}
