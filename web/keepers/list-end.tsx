import { useEffect } from 'react'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'

interface ListProgress {
  hasMore: boolean
  /** Any fetch of the list, including a refetch of loaded pages. */
  fetching: boolean
  loadingMore: boolean
  /** The last attempt to load more failed. */
  failedMore: boolean
}

/** Retrying a failed page would loop, and loading more during a refetch would cancel it and leave old content. */
export const shouldAutoLoad = ({ hasMore, fetching, loadingMore, failedMore }: ListProgress): boolean =>
  hasMore && !fetching && !loadingMore && !failedMore

/** More entries belong in a book, which has a table of contents. */
const maxPrintedEntries = 1000

/** Loads the rest of a list while it is prepared for printing. */
export function useLoadForPrint({
  count,
  onMore,
  ...progress
}: ListProgress & { count: number; onMore: (() => unknown) | undefined }): void {
  const shouldLoad = usePrinting() && shouldAutoLoad(progress) && count < maxPrintedEntries
  useEffect(() => {
    if (shouldLoad) onMore?.()
  }, [shouldLoad, onMore])
}

interface ListEndProps extends Omit<ListProgress, 'fetching'> {
  onMore: () => unknown
  /** For the skeleton shown while more entries load. */
  className: string
}

export function ListEnd({ hasMore, loadingMore, failedMore, onMore, className }: ListEndProps) {
  if (!hasMore) return null
  if (loadingMore || !failedMore) return <Skeleton className={className} />
  return <ShowMore isFetchNextPageError isFetchingNextPage={false} fetchNextPage={onMore} className="mt-5" />
}

/** Shows how many changes of these kinds are queued. Renders nothing without any. */
export function QueuedChangesNote({ keeperId, kinds }: { keeperId: string; kinds: readonly string[] }) {
  const queuedWrites = usePendingWrites(keeperId).filter(({ what: kind }) => kinds.includes(kind))
  if (queuedWrites.length === 0) return null
  return (
    <Banner tone="info" className="mb-4">
      {queuedWrites.length === 1 ? 'One change is' : `${queuedWrites.length} changes are`} waiting to be sent. They are
      safe in this browser, and shown here once the server has them.
    </Banner>
  )
}
