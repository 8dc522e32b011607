import type { Frame, NewFrame } from '#contract/boards/boards.ts'
import { type BoardDocument, withOwnSlugs } from './board-document.ts'

/** A frame as it is sent. */
export function sentFrame({ id, entityType, entityId, data, FrameConfig }: Frame): NewFrame {
  const { engagementMode, theme } = FrameConfig
  return { id, entityType, entityId, data, FrameConfig: { engagementMode, theme } }
}

/** A whole board as it is sent. Two people may have added frames of one slug: those keep theirs that `saved` has under it. */
export function bodyOf(document: BoardDocument, saved: BoardDocument) {
  const { config, frames } = withOwnSlugs(document, saved)
  return { config, frames: frames.map(sentFrame) }
}
