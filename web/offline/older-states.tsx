import { Button } from '#web/ui/controls/button.tsx'

interface OlderStatesProps {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
  isFetchNextPageError: boolean
  className?: string
}

export function OlderStates({
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
  isFetchNextPageError,
  className,
}: OlderStatesProps) {
  if (!hasNextPage) return null
  return (
    <div className={className}>
      {isFetchNextPageError && (
        <p role="alert" className="mb-1.5 text-ui text-destructive">
          The older versions couldn’t be loaded. Try again.
        </p>
      )}
      <Button size="small" busy={isFetchingNextPage} busyLabel="Loading..." onClick={() => fetchNextPage()}>
        Show older versions
      </Button>
    </div>
  )
}
