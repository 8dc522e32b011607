import { builtInModel } from '#contract/keepers/memory-cards.ts'
import type { Database } from '#server/db/database.ts'
import type { KeeperRow } from '../keeper-access.ts'

export function queryPendingCards(db: Database, keeper: Pick<KeeperRow, 'id' | 'owner_id'>, model: string) {
  return (
    db
      .selectFrom('memory_cards')
      .where('keeper_id', '=', keeper.id)
      .where('owner_id', '=', keeper.owner_id)
      .where('deleted_at', 'is', null)
      // Nothing of a deleted keeper is sent to a provider.
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('keepers').select('id').where('id', '=', keeper.id).where('deleted_at', 'is', null)),
      )
      .where((where) => {
        const lacksVector = (name: string) =>
          where.or([where('embedded_with', 'is', null), where('embedded_with', '!=', name)])
        return where.or([
          where.and([where('ai_visible', '=', true), where('state', '=', 'active'), lacksVector(model)]),
          where.and([
            where.or([where('ai_visible', '=', false), where('state', '=', 'draft')]),
            lacksVector(builtInModel),
          ]),
        ])
      })
  )
}

export function canSend(card: { ai_visible: boolean; state: string }): boolean {
  return card.ai_visible && card.state === 'active'
}
