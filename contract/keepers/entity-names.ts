import type { Entity } from './keeper-fields.ts'

export const entityNames: Record<Entity, string> = {
  keeper: 'Keeper',
  reflection: 'Reflection',
  card: 'Memory card',
  voice: 'Voice entry',
  echo: 'Echo',
  logbook: 'Logbook entry',
  moment: 'Moment',
  journey: 'Journey',
  path: 'Path',
  topic: 'Topic',
  source: 'Source',
}
