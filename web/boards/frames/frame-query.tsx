import type { ReactNode } from 'react'
import type { BoardEntity } from '#contract/boards/frame-types.ts'
import { ApiError, NetworkError } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'

type PlacedFrame = Pick<FrameBodyProps, 'frame' | 'context'>

/** The entity of a frame: chosen in it, else set on creation, else that of its board. */
export function getEntityId(
  entity: BoardEntity,
  chosenId: string | null,
  { frame, context }: PlacedFrame,
): string | null {
  if (chosenId) return chosenId
  if (frame.entityType === entity && frame.entityId) return frame.entityId
  return context.entityType === entity ? context.entityId : null
}

/** For specialized frames whose content is only the chosen ID. */
export function getFrameEntityId(entity: BoardEntity, placedFrame: PlacedFrame): string | null {
  const { entityId } = placedFrame.frame.data.content
  return getEntityId(entity, typeof entityId === 'string' ? entityId : null, placedFrame)
}

const clientIdPattern = /^[0-9a-f]{32}$/

/** Local key of a frame. IDs from other clients can repeat across boards. */
export function getFrameKey(boardId: string, frameId: string): string {
  return clientIdPattern.test(frameId) ? frameId : `${boardId}-${frameId}`
}

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

type EntityNoteProps = Pick<FrameQueryProps<never>, 'entityName' | 'onChooseAnother'>

export function FrameUnavailable({ entityName, onChooseAnother }: EntityNoteProps) {
  return (
    <FrameNote>
      <span>{`This ${entityName} was deleted or isn’t shared with you.`}</span>
      {onChooseAnother && <ChooseButton onChoose={onChooseAnother}>Choose Another</ChooseButton>}
    </FrameNote>
  )
}

export function NothingChosen({ entityName, onChooseAnother }: EntityNoteProps) {
  return (
    <FrameNote>
      {`No ${entityName} chosen yet.`}
      {onChooseAnother && <ChooseButton onChoose={onChooseAnother}>Choose One</ChooseButton>}
    </FrameNote>
  )
}

function ChooseButton({ onChoose, children }: { onChoose: () => void; children: string }) {
  return (
    <Button size="small" className="mt-2.5" onClick={onChoose}>
      {children}
    </Button>
  )
}

export function isUnavailable(reason: unknown): boolean {
  return reason instanceof ApiError && (reason.status === 403 || reason.status === 404)
}

export function toReasonText(reason: unknown): string {
  if (reason instanceof NetworkError) return 'The server can’t be reached.'
  return getErrorMessage(reason)
}

/** Shown below a control whose change failed. */
export function FrameFailure({ reason }: { reason: unknown }) {
  if (!reason) return null
  return (
    <p role="alert" className="text-small font-medium text-destructive">
      {toReasonText(reason)}
    </p>
  )
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
