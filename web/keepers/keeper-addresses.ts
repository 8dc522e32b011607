import type { Entity } from '#contract/keepers/keeper-words.ts'

export const dashboardAddress = (id: string) => `/keeper/${encodeURIComponent(id)}/dashboard`
export const metadataAddress = (id: string) => selected('metadata', id)
export const templatesAddress = (id: string) => selected('engagement-templates', id)
export const memoryToolsAddress = (id: string) => selected('memory-tools', id)
export const newKeeperAddress = '/keeper/new'

const rooms: Record<Entity, string> = {
  keeper: 'dashboard',
  reflection: 'reflection-journal?tab=all&reflection=',
  card: 'memory-cards?card=',
  voice: 'voice-panel?entry=',
  echo: 'echo-writer',
  logbook: 'identity-logbook?entry=',
  moment: 'moments?moment=',
  journey: 'journeys?journey=',
  path: 'journeys',
  topic: 'topics?topic=',
}
export function entryAddress({ entity, keeperId, id }: { entity: Entity; keeperId: string; id: string }): string {
  const room = rooms[entity]
  return `/keeper/${encodeURIComponent(keeperId)}/${room}${room.endsWith('=') ? encodeURIComponent(id) : ''}`
}

const selected = (page: string, id: string) => `/keeper/selected/${page}?id=${encodeURIComponent(id)}`
