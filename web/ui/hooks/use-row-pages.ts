import { useState } from 'react'
import type { PagedList } from '../controls/show-more.tsx'

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
