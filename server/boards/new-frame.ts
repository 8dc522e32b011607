import { emptyContent } from '#contract/boards/frame-content.ts'
import { type EngagementPattern, type FrameType, frameTypes } from '#contract/boards/frame-types.ts'
import type { Services } from '#server/services.ts'
import type { PlainFrame } from './frame-rows.ts'

interface NewFrameOptions {
  slug: string
  x: number
  y: number
  name?: string
  description?: string
  size?: { width: number; height: number }
  pattern?: EngagementPattern
  content?: Record<string, unknown>
  entity?: { type: string; id: string }
}

export function createFrame(
  { newId }: Pick<Services, 'newId'>,
  frameType: FrameType,
  options: NewFrameOptions,
): PlainFrame {
  const { name, description, category, icon, pattern, size } = frameTypes[frameType]
  return {
    id: newId(),
    engagement_mode: options.pattern ?? pattern,
    theme: null,
    entity_type: options.entity?.type ?? null,
    entity_id: options.entity?.id ?? null,
    data: {
      frameType,
      name: options.name ?? name,
      description: options.description ?? description,
      category,
      icon,
      slug: options.slug,
      position: { x: options.x, y: options.y },
      size: { ...(options.size ?? size) },
      content: { ...emptyContent(frameType), ...options.content },
    },
  }
}

export function createStarterFrames(services: Pick<Services, 'newId'>): PlainFrame[] {
  return [
    createFrame(services, 'media_card', { name: 'Cover', slug: 'cover', x: 40, y: 40 }),
    createFrame(services, 'config_panel', { name: 'Settings', slug: 'settings', x: 380, y: 40 }),
  ]
}
