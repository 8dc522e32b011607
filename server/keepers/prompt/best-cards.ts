import type { Person } from '#server/accounts/person.ts'
import type { PromptItem } from '#server/agents/keeper-memory.ts'
import type { Services } from '#server/services.ts'
import type { KeeperRow } from '../keeper-access.ts'
import { cardItems } from './prompt-items.ts'

/** The cards of a keeper that fit the words best and may be shown to a model. */
export async function bestCards(
  services: Services,
  _person: Pick<Person, 'id'>,
  keeper: KeeperRow,
  _query: string,
  limit: number,
): Promise<PromptItem[]> {
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
  return cardItems(
    services,
    keeper,
    rows.map(({ id }) => id),
  )
}
