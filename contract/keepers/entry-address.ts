import type { Entity } from './keeper-fields.ts'

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
  source: 'sources?source=',
}

/** The page that shows an entry of a keeper. */
export function getEntryPath({ entity, keeperId, id }: { entity: Entity; keeperId: string; id: string }): string {
  const sectionPath = sectionPaths[entity]
  return `/keeper/${encodeURIComponent(keeperId)}/${sectionPath}${sectionPath.endsWith('=') ? encodeURIComponent(id) : ''}`
}
