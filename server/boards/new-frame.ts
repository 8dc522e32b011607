import { emptyContent } from '#contract/boards/frame-content.ts'
import { type EngagementPattern, type FrameType, frameTypes } from '#contract/boards/frame-types.ts'
import type { Services } from '#server/services.ts'
import type { PlainFrame } from './frame-rows.ts'

interface Given {
  slug: string
  /** Upper left corner in canvas pixels. */
  x: number
  y: number
  name?: string
  description?: string
  size?: { width: number; height: number }
  pattern?: EngagementPattern
  content?: Record<string, unknown>
  entity?: { type: string; id: string }
}

export function newFrameOf({ newId }: Pick<Services, 'newId'>, frameType: FrameType, given: Given): PlainFrame {
  const { name, description, category, icon, pattern, size } = frameTypes[frameType]
  return {
    id: newId(),
    engagement_mode: given.pattern ?? pattern,
    theme: null,
    entity_type: given.entity?.type ?? null,
    entity_id: given.entity?.id ?? null,
    data: {
      frameType,
      name: given.name ?? name,
      description: given.description ?? description,
      category,
      icon,
      slug: given.slug,
      position: { x: given.x, y: given.y },
      size: { ...(given.size ?? size) },
      content: { ...emptyContent(frameType), ...given.content },
    },
  }
}

export function starterFrames(services: Pick<Services, 'newId'>): PlainFrame[] {
  return [
    newFrameOf(services, 'media_card', { name: 'Cover', slug: 'cover', x: 40, y: 40 }),
    newFrameOf(services, 'config_panel', { name: 'Settings', slug: 'settings', x: 380, y: 40 }),
  ]
}
