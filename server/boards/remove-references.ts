import type { FrameData } from '#contract/boards/boards.ts'
import { isFrameType } from '#contract/boards/frame-types.ts'

const referenceFields = ['agentId', 'sessionId', 'runId', 'entityId', 'entityType', 'owner', 'ownerId'] as const

/** Removes references to agents, chats, runs and entities; unknown frame types lose all content. */
export function removeReferences(data: FrameData, { pictures = false } = {}): FrameData {
  if (!isFrameType(data.frameType)) return { ...data, content: {} }
  const content = { ...data.content }
  for (const field of referenceFields) if (content[field] !== undefined) content[field] = null
  if (pictures && content.mediaId !== undefined) content.mediaId = null
  return { ...data, content }
}
