import { ErrorPanel, type ErrorPanelProps } from '#web/ui/panels/error-panel.tsx'

interface QueryErrorProps extends Omit<ErrorPanelProps, 'title' | 'reason' | 'onRetry' | 'retrying'> {
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** By default the message of the error. */
  title?: string
}

/** Why a query has no data, with Retry. Renders nothing otherwise. */
export function QueryError({ query, title, ...panel }: QueryErrorProps) {
  const { data, error, isFetching, refetch } = query
  if (data !== undefined || error === null) return null
  return (
    <ErrorPanel
      {...panel}
      reason={error}
      title={title ?? error.message}
      onRetry={() => refetch()}
      retrying={isFetching}
    />
  )
}
