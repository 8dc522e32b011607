import type { ReactNode } from 'react'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'

export function BoardSkeleton() {
  return (
    <SkeletonGroup label="Loading the board" className="grid gap-4">
      <Skeleton className="h-12" />
      <Skeleton className="h-[460px] rounded-lg" />
    </SkeletonGroup>
  )
}

export function SampleNote({ children }: { children?: ReactNode }) {
  return (
    <Banner tone="info" className="mb-4">
      {children ?? 'This is a read-only sample.'}
    </Banner>
  )
}

interface BoardErrorProps {
  reason: unknown
  onRetry: () => void
  retrying?: boolean
}

export function BoardError({ reason, onRetry, retrying = false }: BoardErrorProps) {
  return (
    <ErrorPanel
      title="Error Loading Board"
      onRetry={onRetry}
      retryLabel="Try Again"
      retrying={retrying}
      reason={reason}
    >
      {reason instanceof Error ? reason.message : 'The server didn’t respond. Your board is safe.'}
    </ErrorPanel>
  )
}

interface PendingQuery {
  error: Error | null
  isError: boolean
  isFetching: boolean
  refetch: () => unknown
}

/** Shown until all queries have data. */
export function BoardPending({ queries }: { queries: readonly PendingQuery[] }) {
  const failed = queries.find(({ isError }) => isError)
  if (!failed) return <BoardSkeleton />
  return <BoardError reason={failed.error} onRetry={() => void failed.refetch()} retrying={failed.isFetching} />
}
