import type { SearchType } from '#contract/keepers/search.ts'

export const searchTypeLabels: Record<SearchType, string> = {
  moment: 'Moment',
  reflection: 'Reflection',
  card: 'Memory card',
  voice: 'Voice entry',
  logbook: 'Logbook entry',
  echo: 'Echo',
  journey: 'Journey',
  topic: 'Topic',
  source: 'Source',
  chat: 'Chat',
  board: 'Board',
}
