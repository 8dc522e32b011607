import type { ReactNode } from 'react'
import { ApiError, NetworkError } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { FrameNote } from './frame-boundary.tsx'

interface FrameQueryProps<Data> {
  query: { data: Data | undefined; error: Error | null; isFetching: boolean; refetch: () => unknown }
  /** For example `agent`. */
  entityName: string
  /** Set if another entity can be chosen for the frame. */
  onChooseAnother?: (() => void) | undefined
  children: (data: Data) => ReactNode
}

export function FrameQuery<Data>({ query, entityName, onChooseAnother, children }: FrameQueryProps<Data>) {
  const { data, error, isFetching, refetch } = query
  if (isUnavailable(error)) return <FrameUnavailable entityName={entityName} onChooseAnother={onChooseAnother} />
  if (data !== undefined) return children(data)
  if (error) return <FrameProblem reason={error} onRetry={refetch} retrying={isFetching} />
  return (
    <SkeletonGroup className="grid gap-2.5 p-3">
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-12" />
    </SkeletonGroup>
  )
}

export function FrameUnavailable({
  entityName,
  onChooseAnother,
}: Pick<FrameQueryProps<never>, 'entityName' | 'onChooseAnother'>) {
  return (
    <FrameNote>
      <span>{`This ${entityName} was deleted or isn’t shared with you.`}</span>
      {onChooseAnother && (
        <Button size="small" className="mt-2.5" onClick={onChooseAnother}>
          Choose Another
        </Button>
      )}
    </FrameNote>
  )
}

export function isUnavailable(reason: unknown): boolean {
  return reason instanceof ApiError && (reason.status === 403 || reason.status === 404)
}

export function toReasonText(reason: unknown): string {
  if (reason instanceof NetworkError) return 'The server can’t be reached.'
  return reason instanceof Error ? reason.message : String(reason)
}

interface FrameProblemProps {
  reason: unknown
  onRetry: () => unknown
  retrying?: boolean
}

export function FrameProblem({ reason, onRetry, retrying = false }: FrameProblemProps) {
  return (
    <FrameNote>
      <span role="alert">{toReasonText(reason)}</span>
      <Button size="small" className="mt-2.5" busy={retrying} onClick={() => onRetry()}>
        Try Again
      </Button>
    </FrameNote>
  )
}
