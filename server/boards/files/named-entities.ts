import type { FrameData } from '#contract/boards/boards.ts'
import { frameTypes, isFrameType } from '#contract/boards/frame-types.ts'

interface FileFrame {
  entityType?: string | null | undefined
  entityId?: string | null | undefined
  data: FrameData
}

export interface NamedEntity {
  kind: string
  id: string
  at: 'frame' | 'agentId' | 'entityId'
}

export function findNamedEntities({ entityType, entityId, data: { frameType, content } }: FileFrame): NamedEntity[] {
  const entities: NamedEntity[] = []
  if (entityType && entityId) entities.push({ kind: entityType, id: entityId, at: 'frame' })
  if (!isFrameType(frameType)) return entities
  const { agentId, entityId: selectedId } = content
  if (typeof agentId === 'string') entities.push({ kind: 'agent', id: agentId, at: 'agentId' })
  if (typeof selectedId === 'string')
    entities.push({ kind: getEntityKind(frameType, content), id: selectedId, at: 'entityId' })
  return entities
}

function getEntityKind(frameType: keyof typeof frameTypes, { entity }: Record<string, unknown>): string {
  if (typeof entity === 'string') return entity
  return frameTypes[frameType].boardEntity ?? 'domain'
}
