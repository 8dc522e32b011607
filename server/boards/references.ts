import type { FrameData, NewFrame } from '#contract/boards/boards.ts'
import { frameTypes, isFrameType } from '#contract/boards/frame-types.ts'

const referenceFields = ['agentId', 'sessionId', 'runId', 'entityId', 'entityType', 'owner', 'ownerId'] as const

/** Removes references to chats and runs. */
export function removeSessions(data: FrameData): FrameData {
  if (!isFrameType(data.frameType)) return data
  const content = { ...data.content }
  for (const field of ['sessionId', 'runId']) if (content[field] !== undefined) content[field] = null
  return { ...data, content }
}

/** Removes references to agents, chats, runs and entities; unknown frame types lose all content. */
export function removeReferences(data: FrameData, { pictures = false } = {}): FrameData {
  if (!isFrameType(data.frameType)) return { ...data, content: {} }
  const content = { ...data.content }
  for (const field of referenceFields) if (content[field] !== undefined) content[field] = null
  if (pictures && content.mediaId !== undefined) content.mediaId = null
  return { ...data, content }
}

interface EntityReference {
  kind: string
  id: string
  field: 'frame' | 'agentId' | 'entityId'
}

export function findEntityReferences({
  entityType,
  entityId,
  data: { frameType, content },
}: Pick<NewFrame, 'entityType' | 'entityId' | 'data'>): EntityReference[] {
  const entities: EntityReference[] = []
  if (entityType && entityId) entities.push({ kind: entityType, id: entityId, field: 'frame' })
  if (!isFrameType(frameType)) return entities
  const { agentId, entityId: selectedId } = content
  if (typeof agentId === 'string') entities.push({ kind: 'agent', id: agentId, field: 'agentId' })
  if (typeof selectedId === 'string')
    entities.push({ kind: getEntityKind(frameType, content), id: selectedId, field: 'entityId' })
  return entities
}

function getEntityKind(frameType: keyof typeof frameTypes, { entity }: Record<string, unknown>): string {
  if (typeof entity === 'string') return entity
  return frameTypes[frameType].boardEntity ?? 'domain'
}
