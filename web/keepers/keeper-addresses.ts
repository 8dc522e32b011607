import type { Entity } from '#contract/keepers/keeper-fields.ts'

export const getDashboardAddress = (id: string) => `/keeper/${encodeURIComponent(id)}/dashboard`
export const getMetadataAddress = (id: string) => getSelectedPageAddress('metadata', id)
export const getTemplatesAddress = (id: string) => getSelectedPageAddress('engagement-templates', id)
export const getMemoryToolsAddress = (id: string) => getSelectedPageAddress('memory-tools', id)
export const newKeeperAddress = '/keeper/new'

const sectionPaths: Record<Entity, string> = {
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
export function getEntryAddress({ entity, keeperId, id }: { entity: Entity; keeperId: string; id: string }): string {
  const sectionPath = sectionPaths[entity]
  return `/keeper/${encodeURIComponent(keeperId)}/${sectionPath}${sectionPath.endsWith('=') ? encodeURIComponent(id) : ''}`
}

const getSelectedPageAddress = (page: string, id: string) => `/keeper/selected/${page}?id=${encodeURIComponent(id)}`
