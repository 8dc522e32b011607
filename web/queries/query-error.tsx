import type { ReactNode } from 'react'
import { ErrorPanel, type ErrorPanelProps } from '#web/ui/panels/error-panel.tsx'

interface QueryErrorProps extends Omit<ErrorPanelProps, 'title' | 'children' | 'reason' | 'onRetry' | 'retrying'> {
  query: { data: unknown; error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** By default the message of the error. */
  title?: string | ((reason: Error) => ReactNode)
  children?: ReactNode | ((reason: Error) => ReactNode)
  /** Also reports a failed refetch, above the previous data. */
  reportsRefetch?: boolean
}

/** Why a query has no data, with Retry. Renders nothing once it has data, unless `reportsRefetch`. */
export function QueryError({ query, title, children, reportsRefetch = false, ...panel }: QueryErrorProps) {
  const { data, error, isFetching, refetch } = query
  if (error === null || (data !== undefined && !reportsRefetch)) return null
  return (
    <ErrorPanel
      {...panel}
      reason={error}
      title={(typeof title === 'function' ? title(error) : title) ?? error.message}
      onRetry={() => refetch()}
      retrying={isFetching}
    >
      {typeof children === 'function' ? children(error) : children}
    </ErrorPanel>
  )
}

interface QueryStateProps extends QueryErrorProps {
  query: QueryErrorProps['query'] & { isPending: boolean }
  /** In place of the data while it loads. */
  skeleton: ReactNode
}

/** The skeleton or the error of a query without data. */
export const QueryState = ({ skeleton, ...props }: QueryStateProps) =>
  props.query.isPending ? skeleton : <QueryError {...props} />
