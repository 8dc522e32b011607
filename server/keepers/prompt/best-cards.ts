import type { PromptItem } from '#server/agents/keeper-memory.ts'
import type { Services } from '#server/services.ts'
import { isActiveIn } from '../keeper-access.ts'
import { findCards } from '../memory-cards/find-cards.ts'
import { loadCardItems } from './prompt-items.ts'
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
  const { matches } = await findCards(services, { keeper, limit, forAi: true }, shortenQuery(text, maxQueryLength))
  return loadCardItems(
    services,
    keeper,
    matches.map(({ id }) => id),
  )
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
  const rows = await services.db
    .selectFrom('memory_cards')
    .select('id')
    .where(isActiveIn(keeper.id))
    .where('ai_visible', '=', true)
    .where('state', '=', 'active')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  const newest = rows.map(({ id }) => id).filter((id) => !existingIds.has(id))
  return [...best, ...(await loadCardItems(services, keeper, newest.slice(0, limit - best.length)))]
}
