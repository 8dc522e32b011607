import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { usePendingWrites } from '#web/offline/use-pending-writes.ts'
import { type PagedList, ShowMore, shouldAutoLoad } from '#web/ui/controls/show-more.tsx'
import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { useLoadNearEnd } from '#web/ui/panels/list-foot.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'

/** Keeps fetching pages while `needsMore` is true. */
export function useAutoLoad(list: PagedList, needsMore: boolean): void {
  const { fetchNextPage } = list
  const shouldLoad = needsMore && shouldAutoLoad(list)
  useEffect(() => {
    if (shouldLoad) void fetchNextPage()
  }, [shouldLoad, fetchNextPage])
}

/** A book can print more. */
const maxPrintedListEntries = 1000

/** Loads the rest of a list while it is prepared for printing. */
export function useLoadForPrint(list: PagedList, count: number): void {
  useAutoLoad(list, usePrinting() && count < maxPrintedListEntries)
}

interface ListEndProps {
  list: PagedList
  /** For the skeleton shown while more entries load. */
  className: string
}

/** Fetches the next page when scrolled near the end. */
export function ListEnd({ list, className }: ListEndProps) {
  const endRef = useRef<HTMLDivElement>(null)
  useLoadNearEnd(list, endRef)
  if (!list.hasNextPage) return null
  return (
    <div ref={endRef}>
      {list.isFetchingNextPage || !list.isFetchNextPageError ? (
        <Skeleton className={className} />
      ) : (
        <ShowMore {...list} className="mt-5" />
      )}
    </div>
  )
}

/** The list's offset from the top of the document (px), updated when content above it grows. */
export function useDocumentOffset(listRef: RefObject<HTMLElement | null>): number {
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (listRef.current) setOffset(Math.round(listRef.current.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [listRef])
  return offset
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
