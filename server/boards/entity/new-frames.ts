import { gridSpacing } from '#contract/boards/boards.ts'
import { createFrameData } from '#contract/boards/frame-content.ts'
import { type BoardEntity, type EngagementPattern, type FrameType, frameTypes } from '#contract/boards/frame-types.ts'
import type { Services } from '#server/services.ts'
import type { PlainFrame } from '../board-view.ts'

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
  { x, y, pattern = frameTypes[frameType].pattern, entity, ...fields }: NewFrameOptions,
): PlainFrame {
  return {
    id: newId(),
    engagement_mode: pattern,
    theme: null,
    entity_type: entity?.type ?? null,
    entity_id: entity?.id ?? null,
    data: createFrameData(frameType, { ...fields, position: { x, y } }),
  }
}

export function createPlainBoardFrames(services: Pick<Services, 'newId'>): PlainFrame[] {
  return [
    createFrame(services, 'media_card', { name: 'Cover', slug: 'cover', x: 40, y: 40 }),
    createFrame(services, 'config_panel', { name: 'Settings', slug: 'settings', x: 360, y: 40 }),
  ]
}

interface EntityFrame {
  frameType: FrameType
  slug: string
  content?: (id: string) => Record<string, unknown>
  startsRow?: true
}

const entityFrames: Record<BoardEntity, EntityFrame[]> = {
  agent: [
    { frameType: 'agent_preview', slug: 'preview', content: (agentId) => ({ agentId }) },
    { frameType: 'config_panel', slug: 'settings', content: (entityId) => ({ entity: 'agent', entityId }) },
  ],
  domain: [
    { frameType: 'domain_overview', slug: 'overview' },
    { frameType: 'people_overview', slug: 'people' },
    { frameType: 'domain_sharing', slug: 'shared-here', startsRow: true },
    { frameType: 'config_panel', slug: 'settings', content: (entityId) => ({ entity: 'domain', entityId }) },
  ],
  journey: [
    { frameType: 'journey_line', slug: 'line' },
    { frameType: 'journey_map', slug: 'places' },
    { frameType: 'journey_waypoints', slug: 'waypoints', startsRow: true },
    { frameType: 'journey_moments', slug: 'moments' },
    { frameType: 'journey_learned', slug: 'what-i-learned' },
  ],
  'keeper-type': [
    { frameType: 'keeper_type_identity', slug: 'identity' },
    { frameType: 'keeper_type_templates', slug: 'templates' },
    { frameType: 'keeper_type_agents', slug: 'agents' },
  ],
  people: [
    { frameType: 'people_overview', slug: 'people' },
    { frameType: 'role_manager', slug: 'roles' },
    { frameType: 'collaboration_network', slug: 'network', startsRow: true },
    { frameType: 'activity_feed', slug: 'activity' },
  ],
}

const margin = 2 * gridSpacing
const gap = gridSpacing

export function createEntityFrames(services: Pick<Services, 'newId'>, type: BoardEntity, id: string): PlainFrame[] {
  let [x, y, nextRowY] = [margin, margin, margin]
  return entityFrames[type].map(({ frameType, slug, content, startsRow }) => {
    const { width, height } = frameTypes[frameType].size
    if (startsRow) [x, y] = [margin, nextRowY]
    const frame = createFrame(services, frameType, { slug, x, y, content: content?.(id) ?? {}, entity: { type, id } })
    x += width + gap
    nextRowY = Math.max(nextRowY, y + height + gap)
    return frame
  })
}
