import { Button } from '#web/ui/button.tsx'

interface ShowMoreProps {
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage(): Promise<unknown>
}

/** At the end of a list that goes on, and what stands there when the rest did not come. */
export function ShowMore({ isFetchingNextPage, isFetchNextPageError, fetchNextPage }: ShowMoreProps) {
  return (
    <span className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
      {isFetchNextPageError && !isFetchingNextPage && (
        <span role="alert" className="text-ui text-destructive">
          The rest could not be loaded. Try again.
        </span>
      )}
      <Button size="small" busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
        Show more
      </Button>
    </span>
  )
}
