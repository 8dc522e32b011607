import type { BoardEntity } from '#contract/boards/frame-types.ts'
import type { FrameBodyProps } from './frame-bodies.ts'

type Placed = Pick<FrameBodyProps, 'frame' | 'surroundings'>

/** What a frame is about: what was chosen in it, else what it was made for, else what its board is of. */
export function entityOf(entity: BoardEntity, chosen: string | null, { frame, surroundings }: Placed): string | null {
  if (chosen) return chosen
  if (frame.entityType === entity && frame.entityId) return frame.entityId
  return surroundings.entityType === entity ? surroundings.entityId : null
}

export const agentOf = (chosen: string | null, placed: Placed) => entityOf('agent', chosen, placed)

/** Of a specialised frame, which holds the id that was chosen in it and nothing else. */
export function ownEntityOf(entity: BoardEntity, placed: Placed): string | null {
  const { entityId } = placed.frame.data.content
  return entityOf(entity, typeof entityId === 'string' ? entityId : null, placed)
}
