import type { PromptItem } from '#server/agents/keeper-memory.ts'
import type { Services } from '#server/services.ts'
import { isActiveIn } from '../keeper-access.ts'
import { findCards } from '../memory-cards/find-cards.ts'
import { getMemoryEnd, loadCardItems } from './prompt-items.ts'
import type { ReadableKeeper } from './readable-keepers.ts'

const maxQueryLength = 500

/** The beginning and the end of a long text. */
export function shortenQuery(text: string, maxLength: number): string {
  return text.length <= maxLength
    ? text
    : `${text.slice(0, maxLength / 2)} ${text.slice(-maxLength / 2)}`.toWellFormed()
}

export async function findBestCards(
  services: Services,
  keeper: ReadableKeeper,
  text: string,
  limit: number,
): Promise<PromptItem[]> {
  // Limits by day or topics can exclude most matches.
  const hasLimits = keeper.limits.asOf !== null || keeper.limits.topics !== null
  const candidateLimit = hasLimits ? limit * 5 : limit
  const query = shortenQuery(text, maxQueryLength)
  const { matches } = await findCards(services, { keeper, limit: candidateLimit, forAi: true }, query)
  const ids = matches.map(({ id }) => id)
  return (await loadCardItems(services, keeper, ids)).slice(0, limit)
}

export async function findBestOrNewestCards(
  services: Services,
  keeper: ReadableKeeper,
  text: string,
  limit: number,
): Promise<PromptItem[]> {
  const bestCards = await findBestCards(services, keeper, text, limit)
  if (bestCards.length >= limit) return bestCards
  const bestIds = new Set(bestCards.map(({ id }) => id))
  const newestCards = (await findNewestCards(services, keeper, limit)).filter(({ id }) => !bestIds.has(id))
  return [...bestCards, ...newestCards.slice(0, limit - bestCards.length)]
}

export async function findNewestCards(
  services: Services,
  keeper: ReadableKeeper,
  limit: number,
): Promise<PromptItem[]> {
  const rows = await services.db
    .selectFrom('memory_cards')
    .select('id')
    .where(isActiveIn(keeper.id))
    .where('ai_visible', '=', true)
    .where('state', '=', 'active')
    .where('created_at', '<', getMemoryEnd(keeper))
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return loadCardItems(
    services,
    keeper,
    rows.map(({ id }) => id),
  )
}
