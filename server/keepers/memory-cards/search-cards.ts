import { sql } from 'kysely'
import type { CardSearchResult } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import { takePage } from '#server/http/page-bytes.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { cardColumns, toCardView } from './card-view.ts'
import { chooseEmbeddingModel } from './embedding-model.ts'
import { findCards } from './find-cards.ts'
import { createSnippet } from './snippet.ts'

const defaultLimit = 20

const cardBytes = sql<number>`octet_length(content)`

/** Keeps SQLite from scanning by this column instead of looking up the few ids. */
const bypassIndex = (column: 'keeper_id' | 'owner_id') => sql<string>`coalesce(${sql.ref(column)}, '')`

/** `meaning` in the reply tells whether and with which model the meaning was searched. @throws Problem 404 */
export async function searchCards(
  services: Services,
  person: Person,
  keeperId: string,
  { query, limit = defaultLimit }: { query: string; limit?: number | undefined },
): Promise<Reply<CardSearchResult[]>> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { matches, meaning } = await findCards(services, { keeper, limit }, query)
  const selectCards = (ids: readonly string[]) =>
    db
      .selectFrom('memory_cards')
      .where('id', 'in', ids)
      .where(bypassIndex('keeper_id'), '=', keeper.id)
      .where(bypassIndex('owner_id'), '=', keeper.owner_id)
      .where('deleted_at', 'is', null)
  const ids = matches.map(({ id }) => id)
  const sizes =
    ids.length === 0
      ? []
      : await selectCards(ids)
          .select(['id', cardBytes.as('size')])
          .execute()
  const ranked = sizes.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  const pageIds = takePage(ranked).map(({ id }) => id)
  const rows = pageIds.length === 0 ? [] : await selectCards(pageIds).select(cardColumns).execute()
  const cards = new Map(rows.map((row) => [row.id, row]))
  const { name: model } = await chooseEmbeddingModel(services, person.id)
  return new Reply(
    matches.flatMap(({ id, matched, score }) => {
      const row = cards.get(id)
      if (!row) return []
      return [{ card: toCardView(row, model), matched, score, ...createSnippet(row.content, query) }]
    }),
    { extra: { meaning } },
  )
}
