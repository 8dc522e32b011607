import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type PagedList, ShowMore, shouldAutoLoad } from '../controls/show-more.tsx'

const loadMargin = '800px 0px'

/** Loads the next page when `end`, which is below the list, comes near. */
export function useLoadNearEnd(list: PagedList, end: RefObject<Element | null>): void {
  const { fetchNextPage } = list
  const shouldLoad = shouldAutoLoad(list)
  useEffect(() => {
    if (!shouldLoad || !end.current) return
    // A new observer first reports where the end is, even if the last page was too short to move it away.
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        fetchNextPage()
      },
      { rootMargin: loadMargin },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [shouldLoad, fetchNextPage, end])
}

interface ListFootProps {
  list: PagedList
  /** How many there are, such as `204 users`. */
  children: ReactNode
}

/** Keeps the total of a list in sight and loads the next page when the end comes near. */
export function ListFoot({ list, children }: ListFootProps) {
  const end = useRef<HTMLDivElement | null>(null)
  const total = useRef<HTMLParagraphElement>(null)
  useLoadNearEnd(list, end)

  const setEnd = useCallback((node: HTMLDivElement) => {
    end.current = node
    return () => {
      if (node.contains(document.activeElement)) total.current?.focus()
      end.current = null
    }
  }, [])

  return (
    <>
      {list.hasNextPage && (
        <div ref={setEnd} className="flex justify-center border-t border-border py-2">
          <ShowMore {...list} />
        </div>
      )}
      <p
        ref={total}
        role="status"
        tabIndex={-1}
        className="sticky bottom-0 z-10 border-t border-border bg-card px-4 py-2 text-small text-muted-foreground tabular-nums focus-visible:-outline-offset-2 phone:px-3"
      >
        {children}
      </p>
    </>
  )
}

const pageSize = 100

/** Shows loaded rows page by page, then loads the next page of the server, if there is one. */
export function useRowPages<Row>(
  rows: readonly Row[],
  serverList?: PagedList,
): { visibleRows: readonly Row[]; list: PagedList } {
  const [limit, setLimit] = useState(pageSize)
  const hasLoadedRows = rows.length > limit
  return {
    visibleRows: rows.slice(0, limit),
    list: {
      hasNextPage: hasLoadedRows || (serverList?.hasNextPage ?? false),
      isFetching: !hasLoadedRows && (serverList?.isFetching ?? false),
      isFetchingNextPage: !hasLoadedRows && (serverList?.isFetchingNextPage ?? false),
      isFetchNextPageError: !hasLoadedRows && (serverList?.isFetchNextPageError ?? false),
      fetchNextPage() {
        setLimit(limit + pageSize)
        return hasLoadedRows ? undefined : serverList?.fetchNextPage()
      },
    },
  }
}
