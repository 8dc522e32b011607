import type { ComponentProps } from 'react'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { QueryError } from './query-error.tsx'

interface QueryStatusProps extends ComponentProps<typeof QueryError> {
  /** Classes of the placeholder block. */
  skeletonClassName: string
}

/** In place of data that isn't there: its skeleton, or why it couldn't be loaded. */
export function QueryStatus({
  skeletonClassName,
  children = 'Nothing you wrote is affected.',
  ...props
}: QueryStatusProps) {
  const { data, error } = props.query
  if (error) return <QueryError {...props}>{children}</QueryError>
  if (data !== undefined) return null
  return (
    <SkeletonGroup>
      <Skeleton className={skeletonClassName} />
    </SkeletonGroup>
  )
}
