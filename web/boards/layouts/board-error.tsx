import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'

interface BoardErrorProps {
  reason: unknown
  onRetry: () => void
  retrying?: boolean
}

export function BoardError({ reason, onRetry, retrying = false }: BoardErrorProps) {
  return (
    <ErrorPanel
      title="Error Loading Board"
      onRetry={onRetry}
      retryLabel="Try Again"
      retrying={retrying}
      reason={reason}
    >
      {reason instanceof Error ? reason.message : 'The server didn’t respond. Your board is safe.'}
    </ErrorPanel>
  )
}
