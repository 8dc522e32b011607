import type { BoardEntity } from '#contract/boards/frame-types.ts'
import type { FrameBodyProps } from './frame-bodies.ts'

type PlacedFrame = Pick<FrameBodyProps, 'frame' | 'context'>

/** The entity of a frame: chosen in it, else set on creation, else that of its board. */
export function getEntityId(
  entity: BoardEntity,
  chosen: string | null,
  { frame, context }: PlacedFrame,
): string | null {
  if (chosen) return chosen
  if (frame.entityType === entity && frame.entityId) return frame.entityId
  return context.entityType === entity ? context.entityId : null
}

export const getAgentId = (chosen: string | null, placed: PlacedFrame) => getEntityId('agent', chosen, placed)

/** For specialized frames whose content is only the chosen ID. */
export function getFrameEntityId(entity: BoardEntity, placed: PlacedFrame): string | null {
  const { entityId } = placed.frame.data.content
  return getEntityId(entity, typeof entityId === 'string' ? entityId : null, placed)
}
