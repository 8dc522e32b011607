import { plainWords } from '#contract/plain-words.ts'
import { ownVaultLater } from '#web/offline/whose-browser.ts'
import type { Found } from './use-found-in-keepers.ts'

const most = 12
const longestTitle = 120
const kinds: Record<string, Found['entity']> = {
  moments: 'moment',
  'memory-cards': 'card',
  journeys: 'journey',
  topics: 'topic',
  logbook: 'logbook',
}
const listOfKeeper = /^\/api\/keeper\/keepers\/([^/]+)\/([\w-]+)(?:\?|$)/

interface Written {
  id?: unknown
  keeperId?: unknown
  title?: unknown
  name?: unknown
  label?: unknown
  body?: unknown
  content?: unknown
}

/** Offline counterpart of the server's search, over the cached reads of this browser. */
export async function findInKept(q: string): Promise<Found[]> {
  const vault = await ownVaultLater()
  const reads = (await vault?.all<{ url: string; answer: unknown }>('reads')) ?? []
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const found = new Map<string, Found>()
  for (const { url, answer } of reads) {
    const entity = kinds[listOfKeeper.exec(url)?.[2] ?? '']
    if (!entity) continue
    for (const each of listIn(answer)) {
      const { id, keeperId } = each
      const texts = [each.title, each.name, each.label, each.body, each.content].filter(
        (text): text is string => typeof text === 'string' && text !== '',
      )
      const whole = texts.join(' ').toLowerCase()
      if (typeof id !== 'string' || typeof keeperId !== 'string' || !words.every((word) => whole.includes(word)))
        continue
      const called = [each.title, each.name, each.label].includes(texts[0])
      const title = called ? (texts[0] ?? '').replace(/\s+/g, ' ') : plainWords(texts[0] ?? '')
      found.set(id, {
        entity,
        id,
        keeperId,
        title: title.slice(0, longestTitle).toWellFormed(),
        hint: 'Kept in this browser',
      })
    }
  }
  return [...found.values()].slice(0, most)
}

function listIn(answer: unknown): Written[] {
  const data = (answer as { data?: unknown } | null)?.data ?? answer
  const list = Array.isArray(data) ? data : (data as { items?: unknown } | null)?.items
  return Array.isArray(list) ? list.filter((each) => typeof each === 'object' && each !== null) : []
}
