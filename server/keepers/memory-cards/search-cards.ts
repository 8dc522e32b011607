import { sql } from 'kysely'
import type { FoundCard } from '#contract/keepers/memory-cards.ts'
import type { Person } from '#server/accounts/person.ts'
import { takePage } from '#server/http/page-bytes.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { cardColumns, cardView } from './card-view.ts'
import { embeddingModelFor } from './embedding-model.ts'
import { findCards } from './find-cards.ts'
import { snippetOf } from './snippet.ts'

const usualLimit = 20

const cardBytes = sql<number>`octet_length(content)`

/** Keeps SQLite from scanning by this column instead of looking up the few ids. */
const notLookedUpBy = (column: 'keeper_id' | 'owner_id') => sql<string>`coalesce(${sql.ref(column)}, '')`

/** `meaning` in the reply tells whether and with which model the meaning was searched. @throws Problem 404 */
export async function searchCards(
  services: Services,
  person: Person,
  keeperId: string,
  { query, limit = usualLimit }: { query: string; limit?: number | undefined },
): Promise<Reply<FoundCard[]>> {
  const { db } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const { found, meaning } = await findCards(services, { keeper, limit }, query)
  const select = (ids: readonly string[]) =>
    db
      .selectFrom('memory_cards')
      .where('id', 'in', ids)
      .where(notLookedUpBy('keeper_id'), '=', keeper.id)
      .where(notLookedUpBy('owner_id'), '=', keeper.owner_id)
      .where('deleted_at', 'is', null)
  const ids = found.map(({ id }) => id)
  // SQL does not allow an empty list.
  const sizes =
    ids.length === 0
      ? []
      : await select(ids)
          .select(['id', cardBytes.as('size')])
          .execute()
  const best = sizes.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  const fitting = takePage(best, best.length).map(({ id }) => id)
  const rows = fitting.length === 0 ? [] : await select(fitting).select(cardColumns).execute()
  const cards = new Map(rows.map((row) => [row.id, row]))
  const { name: model } = await embeddingModelFor(services, person.id)
  return new Reply(
    found.flatMap(({ id, matched, score }) => {
      const row = cards.get(id)
      if (!row) return []
      return [{ card: cardView(row, model), matched, score, ...snippetOf(row.content, query) }]
    }),
    { extra: { meaning } },
  )
}
