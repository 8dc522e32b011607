import { classNames } from '../hooks/class-names.ts'
import type { ButtonSize } from './button.tsx'
import { Button } from './button.tsx'

interface ShowMoreProps {
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage(): unknown
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
