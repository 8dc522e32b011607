import type { PromptItem } from '#server/agents/keeper-memory.ts'
import type { Services } from '#server/services.ts'
import { isActiveIn } from '../keeper-access.ts'
import { findCards } from '../memory-cards/find-cards.ts'
import { getEnd, loadCardItems } from './prompt-items.ts'
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
  const candidates = keeper.limits.asOf !== null || keeper.limits.topics !== null ? limit * 5 : limit
  const query = shortenQuery(text, maxQueryLength)
  const { matches } = await findCards(services, { keeper, limit: candidates, forAi: true }, query)
  const ids = matches.map(({ id }) => id)
  return (await loadCardItems(services, keeper, ids)).slice(0, limit)
}

export async function findBestOrNewestCards(
  services: Services,
  keeper: ReadableKeeper,
  text: string,
  limit: number,
): Promise<PromptItem[]> {
  const best = await findBestCards(services, keeper, text, limit)
  if (best.length >= limit) return best
  const existingIds = new Set(best.map(({ id }) => id))
  const newest = (await findNewestCards(services, keeper, limit)).filter(({ id }) => !existingIds.has(id))
  return [...best, ...newest.slice(0, limit - best.length)]
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
    .where('created_at', '<', getEnd(keeper))
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  return loadCardItems(
    services,
    keeper,
    rows.map(({ id }) => id),
  )
}
