import { randomUUID } from 'node:crypto'
import type { EngagementPattern } from '#contract/boards/frame-types.ts'
import { frameTypes, isFrameType } from '#contract/boards/frame-types.ts'

interface FrameInputOptions {
  slug?: string
  name?: string
  x?: number
  y?: number
  pattern?: EngagementPattern
  content?: Record<string, unknown>
}

/** A frame as a client sends it; `frameType` may be unregistered. */
export function createFrameInput(
  frameType: string,
  { slug = 'a-frame', name = 'A frame', x = 0, y = 0, ...options }: FrameInputOptions = {},
) {
  const pattern = isFrameType(frameType) ? frameTypes[frameType].pattern : 'canvas'
  return {
    id: randomUUID().replaceAll('-', ''),
    entityType: null,
    entityId: null,
    data: {
      frameType,
      name,
      description: '',
      category: 'content' as const,
      icon: 'image',
      slug,
      position: { x, y },
      size: { width: 300, height: 180 },
      content: options.content ?? {},
    },
    FrameConfig: { engagementMode: options.pattern ?? pattern, theme: null },
  }
}
