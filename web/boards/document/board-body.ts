import type { Frame, NewFrame } from '#contract/boards/boards.ts'
import { type BoardDocument, withUniqueSlugs } from './board-document.ts'

export function toNewFrame({ id, entityType, entityId, data, FrameConfig }: Frame): NewFrame {
  const { engagementMode, theme } = FrameConfig
  return { id, entityType, entityId, data, FrameConfig: { engagementMode, theme } }
}

/** The request body of a board; frames in `saved` keep their slugs if two people added the same one. */
export function toBoardBody(document: BoardDocument, saved: BoardDocument) {
  const { config, frames } = withUniqueSlugs(document, saved)
  return { config, frames: frames.map(toNewFrame) }
}
