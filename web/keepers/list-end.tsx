import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface Going {
  hasMore: boolean
  /** Anything of the list is on its way: also what is shown, anew. */
  fetching: boolean
  loadingMore: boolean
  /** The last time the rest did not come. */
  failedMore: boolean
}

/**
 * Whether a list goes on by itself where its end comes near. What failed would be asked for over and over; and asking for more while
 * what is shown is read anew would end that, and leave old words there.
 */
export const goesOnByItself = ({ hasMore, fetching, loadingMore, failedMore }: Going): boolean =>
  hasMore && !fetching && !loadingMore && !failedMore

interface ListEndProps extends Omit<Going, 'fetching'> {
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
