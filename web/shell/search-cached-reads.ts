import { getEntryPath } from '#contract/keepers/entry-address.ts'
import { toPlainText } from '#contract/plain-text.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { getCurrentStore } from '#web/offline/local-store.ts'
import type { PaletteHit } from './use-keeper-search.ts'

const maxCachedResults = 12
const maxTitleLength = 120
const kinds: Record<string, 'moment' | 'card' | 'journey' | 'topic' | 'logbook'> = {
  moments: 'moment',
  'memory-cards': 'card',
  journeys: 'journey',
  topics: 'topic',
  logbook: 'logbook',
}
const keeperListPattern = /^\/api\/keeper\/keepers\/([^/]+)\/([\w-]+)(?:\?|$)/

interface CachedEntry {
  id?: unknown
  keeperId?: unknown
  title?: unknown
  name?: unknown
  label?: unknown
  body?: unknown
  content?: unknown
}

export async function searchCachedReads(q: string): Promise<PaletteHit[]> {
  const reads = (await getCurrentStore()?.getAll<{ url: string; answer: unknown }>('reads')) ?? []
  const isMatch = createTextFilter(q)
  const results = new Map<string, PaletteHit>()
  for (const { url, answer } of reads) {
    const entity = kinds[keeperListPattern.exec(url)?.[2] ?? '']
    if (!entity) continue
    for (const entry of extractEntries(answer)) {
      const { id, keeperId } = entry
      const texts = [entry.title, entry.name, entry.label, entry.body, entry.content].filter(
        (text): text is string => typeof text === 'string' && text !== '',
      )
      if (typeof id !== 'string' || typeof keeperId !== 'string' || !isMatch(...texts.map(toPlainText))) continue
      const hasTitle = [entry.title, entry.name, entry.label].includes(texts[0])
      const title = hasTitle ? (texts[0] ?? '').replace(/\s+/g, ' ') : toPlainText(texts[0] ?? '')
      results.set(id, {
        type: entity,
        id,
        title: title.slice(0, maxTitleLength).toWellFormed(),
        excerpt: '',
        place: 'Saved in this browser',
        link: getEntryPath({ entity, keeperId, id }),
      })
    }
  }
  return [...results.values()].slice(0, maxCachedResults)
}

function extractEntries(answer: unknown): CachedEntry[] {
  const data = (answer as { data?: unknown } | null)?.data ?? answer
  const list = Array.isArray(data) ? data : (data as { items?: unknown } | null)?.items
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'object' && entry !== null) : []
}
