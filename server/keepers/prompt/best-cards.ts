import type { PromptItem } from '#server/agents/keeper-memory.ts'
import type { Services } from '#server/services.ts'
import { findCards } from '../memory-cards/find-cards.ts'
import { cardItems } from './prompt-items.ts'
import type { KnownKeeper } from './whose-keepers.ts'

/** A long text is searched by its start and end. */
const longestQuery = 500

/** The best matching cards a model may read. */
export async function bestCards(
  services: Services,
  keeper: KnownKeeper,
  text: string,
  limit: number,
): Promise<PromptItem[]> {
  const { found } = await findCards(services, { keeper, limit, forAi: true }, gistOf(text))
  return cardItems(
    services,
    keeper,
    found.map(({ id }) => id),
  )
}

function gistOf(text: string): string {
  if (text.length <= longestQuery) return text
  const half = longestQuery / 2
  return `${text.slice(0, half)} ${text.slice(-half)}`.toWellFormed()
}

/** Fills up with the newest cards. */
export async function bestOrNewestCards(
  services: Services,
  keeper: KnownKeeper,
  text: string,
  limit: number,
): Promise<PromptItem[]> {
  const best = await bestCards(services, keeper, text, limit)
  if (best.length >= limit) return best
  const known = new Set(best.map(({ id }) => id))
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
  const newest = rows.map(({ id }) => id).filter((id) => !known.has(id))
  return [...best, ...(await cardItems(services, keeper, newest.slice(0, limit - best.length)))]
}
