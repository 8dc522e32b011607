import type { FrameData } from '#contract/boards/boards.ts'
import { isFrameType } from '#contract/boards/frame-types.ts'

/** Fields of what a frame holds that name something outside the board: who reads the board need not read that. */
const references = ['agentId', 'sessionId', 'runId', 'entityId', 'entityType', 'owner', 'ownerId'] as const

/**
 * A frame with what is its own: it names no agent, chat, run or entity, and with `pictures` no picture of its board
 * either. Of a type that is not known here nothing is known to be its own.
 */
export function withoutReferences(data: FrameData, { pictures = false } = {}): FrameData {
  if (!isFrameType(data.frameType)) return { ...data, content: {} }
  const content = { ...data.content }
  for (const field of references) if (content[field] !== undefined) content[field] = null
  if (pictures && content.mediaId !== undefined) content.mediaId = null
  return { ...data, content }
}
