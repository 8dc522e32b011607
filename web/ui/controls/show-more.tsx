import { classNames } from '../hooks/class-names.ts'
import type { ButtonSize } from './button.tsx'
import { Button } from './button.tsx'

/** A list that is read page by page; an infinite query. */
export interface PagedList {
  hasNextPage: boolean
  /** Any fetch of the list, including a refetch of loaded pages. */
  isFetching: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => unknown
}

/** Retrying a failed page would loop, and loading more during a refetch would cancel it and leave old content. */
export const shouldAutoLoad = (list: PagedList): boolean =>
  list.hasNextPage && !list.isFetching && !list.isFetchingNextPage && !list.isFetchNextPageError

interface ShowMoreProps extends Pick<PagedList, 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'> {
  label?: string
  size?: ButtonSize
  className?: string
}

export function ShowMore(props: ShowMoreProps) {
  const {
    isFetchingNextPage,
    isFetchNextPageError,
    fetchNextPage,
    label = 'Show more',
    size = 'small',
    className,
  } = props
  return (
    <span className={classNames('inline-flex flex-wrap items-center justify-center gap-x-3 gap-y-1', className)}>
      {isFetchNextPageError && !isFetchingNextPage && (
        <span role="alert" className="text-ui text-destructive">
          The rest couldn’t be loaded. Try again.
        </span>
      )}
      <Button size={size} busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {label}
      </Button>
    </span>
  )
}
