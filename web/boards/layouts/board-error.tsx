import { ErrorPanel } from '#web/ui/error-panel.tsx'

interface BoardErrorProps {
  reason: unknown
  onRetry: () => void
  retrying?: boolean
}

/** A board that could not be had. */
export function BoardError({ reason, onRetry, retrying = false }: BoardErrorProps) {
  return (
    <ErrorPanel
      title="Error Loading Board"
      onRetry={onRetry}
      retryLabel="Try Again"
      retrying={retrying}
      reason={reason}
    >
      {reason instanceof Error ? reason.message : 'The server did not answer. Nothing on the board is affected.'}
    </ErrorPanel>
  )
}
