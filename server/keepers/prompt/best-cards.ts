import type { PromptItem } from '#server/agents/keeper-memory.ts'
import type { Services } from '#server/services.ts'
import { findCards } from '../memory-cards/find-cards.ts'
import { loadCardItems } from './prompt-items.ts'
import type { ReadableKeeper } from './readable-keepers.ts'

const maxQueryLength = 500

export async function findBestCards(
  services: Services,
  keeper: ReadableKeeper,
  text: string,
  limit: number,
): Promise<PromptItem[]> {
  const { matches } = await findCards(services, { keeper, limit, forAi: true }, shortenQuery(text))
  return loadCardItems(
    services,
    keeper,
    matches.map(({ id }) => id),
  )
}

function shortenQuery(text: string): string {
  if (text.length <= maxQueryLength) return text
  const half = maxQueryLength / 2
  return `${text.slice(0, half)} ${text.slice(-half)}`.toWellFormed()
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
    .where('keeper_id', '=', keeper.id)
    .where('deleted_at', 'is', null)
    .where('ai_visible', '=', true)
    .where('state', '=', 'active')
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  const newest = rows.map(({ id }) => id).filter((id) => !existingIds.has(id))
  return [...best, ...(await loadCardItems(services, keeper, newest.slice(0, limit - best.length)))]
}
