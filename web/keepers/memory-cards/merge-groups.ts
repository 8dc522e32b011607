import type { CardGroups } from './cards-backend.ts'

/** Topics that go on from one page to the next, each once and with all its cards. What moved meanwhile is on both. */
export function mergeGroups(pages: readonly CardGroups[]): CardGroups {
  const groups = new Map<string | null, { count: number; cards: Map<string, CardGroups[number]['cards'][number]> }>()
  for (const { topic, count, cards } of pages.flat()) {
    const known = groups.get(topic)?.cards ?? new Map()
    for (const card of cards) known.set(card.id, card)
    groups.set(topic, { count, cards: known })
  }
  return [...groups].map(([topic, { count, cards }]) => ({ topic, count, cards: [...cards.values()] }))
}
