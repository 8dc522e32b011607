import type { Entity } from './keeper-words.ts'

/** What one of each kind is called, at the beginning of a sentence. */
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
}
