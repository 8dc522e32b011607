import type { FrameData } from '#contract/boards/boards.ts'
import { frameTypes, isFrameType } from '#contract/boards/frame-types.ts'

interface FileFrame {
  entityType?: string | null | undefined
  entityId?: string | null | undefined
  data: FrameData
}

/** An entity outside the board that a frame names, and the field that names it. */
export interface Named {
  kind: string
  id: string
  at: 'frame' | 'agentId' | 'entityId'
}

/** All entities a frame names outside its board. Unknown frame types can't be inspected. */
export function entitiesIn({ entityType, entityId, data: { frameType, content } }: FileFrame): Named[] {
  const named: Named[] = []
  if (entityType && entityId) named.push({ kind: entityType, id: entityId, at: 'frame' })
  if (!isFrameType(frameType)) return named
  const { agentId, entityId: chosen } = content
  if (typeof agentId === 'string') named.push({ kind: 'agent', id: agentId, at: 'agentId' })
  if (typeof chosen === 'string') named.push({ kind: kindOfChosen(frameType, content), id: chosen, at: 'entityId' })
  return named
}

/** Previews and settings panels name their entity's kind; other frames have a fixed one. */
function kindOfChosen(frameType: keyof typeof frameTypes, { entity }: Record<string, unknown>): string {
  if (typeof entity === 'string') return entity
  return frameTypes[frameType].of ?? 'domain'
}
