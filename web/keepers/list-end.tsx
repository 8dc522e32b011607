import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface ListProgress {
  hasMore: boolean
  /** Any fetch of the list, including a refetch of loaded pages. */
  fetching: boolean
  loadingMore: boolean
  /** The last attempt to load more failed. */
  failedMore: boolean
}

/**
 * Whether to load more near the end of a list. A failed page would be requested over and over, and loading more during
 * a refetch would cancel it and leave old content in place.
 */
export const shouldAutoLoad = ({ hasMore, fetching, loadingMore, failedMore }: ListProgress): boolean =>
  hasMore && !fetching && !loadingMore && !failedMore

interface ListEndProps extends Omit<ListProgress, 'fetching'> {
  onMore: () => unknown
  /** For the skeleton shown while more entries load. */
  className: string
}

/** The end of an auto-loading list: a skeleton, or a retry after a failure. */
export function ListEnd({ hasMore, loadingMore, failedMore, onMore, className }: ListEndProps) {
  if (!hasMore) return null
  if (loadingMore || !failedMore) return <Skeleton className={className} />
  return <ShowMore isFetchNextPageError isFetchingNextPage={false} fetchNextPage={onMore} className="mt-5" />
}
