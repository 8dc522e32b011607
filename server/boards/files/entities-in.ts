import type { FrameData } from '#contract/boards/boards.ts'
import { frameTypes, isFrameType } from '#contract/boards/frame-types.ts'

interface FileFrame {
  entityType?: string | null | undefined
  entityId?: string | null | undefined
  data: FrameData
}

/** A thing outside the board that a frame names, and where in the frame it does. */
export interface Named {
  kind: string
  id: string
  at: 'frame' | 'agentId' | 'entityId'
}

/** What a frame is about: all it names outside its board. Of types that are not known here nothing can be said. */
export function entitiesIn({ entityType, entityId, data: { frameType, content } }: FileFrame): Named[] {
  const named: Named[] = []
  if (entityType && entityId) named.push({ kind: entityType, id: entityId, at: 'frame' })
  if (!isFrameType(frameType)) return named
  const { agentId, entityId: chosen } = content
  if (typeof agentId === 'string') named.push({ kind: 'agent', id: agentId, at: 'agentId' })
  if (typeof chosen === 'string') named.push({ kind: kindOfChosen(frameType, content), id: chosen, at: 'entityId' })
  return named
}

/** A preview and a settings panel say what they are about; the frames of an entity are about one of its kind. */
function kindOfChosen(frameType: keyof typeof frameTypes, { entity }: Record<string, unknown>): string {
  if (typeof entity === 'string') return entity
  return frameTypes[frameType].of ?? 'domain'
}
