import type { BoardEntity } from '#contract/boards/frame-types.ts'
import type { FrameBodyProps } from './frame-bodies.ts'

type Placed = Pick<FrameBodyProps, 'frame' | 'surroundings'>

/** The entity of a frame: chosen in it, else set on creation, else that of its board. */
export function entityOf(entity: BoardEntity, chosen: string | null, { frame, surroundings }: Placed): string | null {
  if (chosen) return chosen
  if (frame.entityType === entity && frame.entityId) return frame.entityId
  return surroundings.entityType === entity ? surroundings.entityId : null
}

export const agentOf = (chosen: string | null, placed: Placed) => entityOf('agent', chosen, placed)

/** For specialized frames whose content is only the chosen ID. */
export function ownEntityOf(entity: BoardEntity, placed: Placed): string | null {
  const { entityId } = placed.frame.data.content
  return entityOf(entity, typeof entityId === 'string' ? entityId : null, placed)
}
