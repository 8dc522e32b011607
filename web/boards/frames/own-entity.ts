import type { BoardEntity } from '#contract/boards/frame-types.ts'
import type { FrameBodyProps } from './frame-bodies.ts'

/** What a frame is about: what was chosen in it, else what it was made for, else what its board is of. */
export function entityOf(
  entity: BoardEntity,
  chosen: string | null,
  { frame, surroundings }: Pick<FrameBodyProps, 'frame' | 'surroundings'>,
): string | null {
  if (chosen) return chosen
  if (frame.entityType === entity && frame.entityId) return frame.entityId
  return surroundings.entityType === entity ? surroundings.entityId : null
}

export const agentOf = (chosen: string | null, props: Pick<FrameBodyProps, 'frame' | 'surroundings'>) =>
  entityOf('agent', chosen, props)
