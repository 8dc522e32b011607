import type { BoardEntity } from '#contract/boards/frame-types.ts'
import type { FrameBodyProps } from './frame-bodies.ts'

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

export const getAgentId = (chosenId: string | null, placedFrame: PlacedFrame) =>
  getEntityId('agent', chosenId, placedFrame)

/** For specialized frames whose content is only the chosen ID. */
export function getFrameEntityId(entity: BoardEntity, placedFrame: PlacedFrame): string | null {
  const { entityId } = placedFrame.frame.data.content
  return getEntityId(entity, typeof entityId === 'string' ? entityId : null, placedFrame)
}
