import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface Going {
  hasMore: boolean
  loadingMore: boolean
  /** The last time the rest did not come. */
  failedMore: boolean
}

/** Whether a list goes on by itself where its end comes near: what failed would be asked for over and over. */
export const goesOnByItself = ({ hasMore, loadingMore, failedMore }: Going): boolean =>
  hasMore && !loadingMore && !failedMore

interface ListEndProps extends Going {
  onMore: () => unknown
  /** Of what stands in for the rest while it comes. */
  className: string
}

/** Below a list that goes on by itself: the rest to come, or that it did not come and a way to ask again. */
export function ListEnd({ hasMore, loadingMore, failedMore, onMore, className }: ListEndProps) {
  if (!hasMore) return null
  if (loadingMore || !failedMore) return <Skeleton className={className} />
  return <ShowMore isFetchNextPageError isFetchingNextPage={false} fetchNextPage={onMore} className="mt-5" />
}
