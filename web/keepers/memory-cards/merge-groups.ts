import type { CardGroups } from './cards-backend.ts'

/** Merges topics that span several pages. Cards that moved between two fetches appear on both, so ids are unique. */
export function mergeCardGroups(pages: readonly CardGroups[]): CardGroups {
  const groups = new Map<string | null, { count: number; cards: Map<string, CardGroups[number]['cards'][number]> }>()
  for (const { topic, count, cards } of pages.flat()) {
    const cardsById = groups.get(topic)?.cards ?? new Map()
    for (const card of cards) cardsById.set(card.id, card)
    groups.set(topic, { count, cards: cardsById })
  }
  return [...groups].map(([topic, { count, cards }]) => ({ topic, count, cards: [...cards.values()] }))
}
