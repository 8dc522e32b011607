import { maxSearchLength } from '#contract/keepers/keeper-fields.ts'
import { type SearchType, searchTypes } from '#contract/keepers/search.ts'

export interface SearchFilter {
  q: string
  type?: SearchType
  keeperId?: string
  topic?: string
  mood?: number
  from?: string
  to?: string
  hasPicture?: 'true'
}

export const maxTopicLength = 80

/** Reads the address; values that can't be searched for are left out. */
export function readSearchFilter(params: URLSearchParams): SearchFilter {
  const [type, keeperId, topic, mood, from, to] = ['type', 'keeper', 'topic', 'mood', 'from', 'to'].map(
    (name) => params.get(name)?.trim() || undefined,
  )
  const isDay = (text: string | undefined) => text !== undefined && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))
  return {
    q: (params.get('q') ?? '').trim().slice(0, maxSearchLength).toWellFormed(),
    ...(searchTypes.some((searchType) => searchType === type) && { type: type as SearchType }),
    ...(keeperId && { keeperId }),
    ...(topic && { topic: topic.slice(0, maxTopicLength) }),
    ...(mood && /^-?[0-2]$/.test(mood) && { mood: Number(mood) }),
    ...(from && isDay(from) && { from }),
    ...(to && isDay(to) && { to }),
    ...(params.get('picture') === 'true' && { hasPicture: 'true' as const }),
  }
}

export const isNarrowed = ({ q: _, ...narrowing }: SearchFilter) => Object.keys(narrowing).length > 0

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
