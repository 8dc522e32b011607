import { sql } from 'kysely'
import type { BoardInList } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import { type Order, placeIn, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { boardRight, boardsInDomainsOf, rightGiven } from './board-access.ts'
import { viewInList } from './board-view.ts'

/** Domain id used by clients that know no domains. */
export const demoDomain = 'demo'

const newestChangeFirst: Order = [
  [sql.ref('boards.updated_at'), 'desc'],
  [sql.ref('boards.id'), 'asc'],
]

/** Latest change first. `demo` is the primary domain, with boards without one. @throws Problem 400 for an invalid cursor */
export async function listBoards(
  { db }: Services,
  person: Pick<Person, 'id'>,
  { domainId, cursor }: { domainId?: string | undefined; cursor?: string | undefined } = {},
): Promise<Reply<BoardInList[]>> {
  const isPrimary = domainId === demoDomain
  const inDomain = isPrimary ? ((await primaryDomainOf(db, person)) ?? '') : domainId
  const given = rightGiven(person)
  const all = db
    .selectFrom('boards')
    .innerJoin('people', 'people.id', 'boards.owner_id')
    .select(['boards.id', 'boards.owner_id', 'boards.domain_id', 'boards.name', 'boards.description', 'boards.type'])
    .select(['boards.engagement_mode', 'boards.entity_type', 'boards.entity_id', 'boards.frame_count'])
    .select(['boards.created_at', 'boards.updated_at', 'boards.rev', 'boards.link_hash', 'people.name as owner_name'])
    .select(sql<number | null>`case when boards.owner_id = ${person.id} then null else ${given} end`.as('given'))
    .select(
      sql<number | null>`(select 1 from domain_boards where domain_boards.board_id = boards.id limit 1)`.as(
        'in_domain',
      ),
    )
    .where('boards.deleted_at', 'is', null)
    .where(
      'boards.id',
      'in',
      sql<string>`(select id from boards where owner_id = ${person.id} union select * from ${boardsInDomainsOf(person)} as theirs)`,
    )
    .where((where) => where.or([where('boards.owner_id', '=', person.id), where(given, '>', 0)]))
    .$if(inDomain !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where.and([
            where('boards.owner_id', '=', person.id),
            where.or([
              where('boards.domain_id', '=', inDomain ?? ''),
              ...(isPrimary ? [where('boards.domain_id', 'is', null)] : []),
            ]),
          ]),
          where('boards.id', 'in', boardsInDomainsOf(person, inDomain)),
        ]),
      ),
    )
  const { rows, next_cursor } = await readPage(all, {
    order: newestChangeFirst,
    after: placeIn(cursor, [0, '']),
    placeOf: ({ updated_at, id }) => [updated_at, id],
  })
  const views = rows.flatMap((row) => {
    const may = boardRight(row, row.given, person)
    const isShared = row.in_domain !== null || row.link_hash !== null
    return may ? [viewInList(row, { ownerName: row.owner_name, isShared, may }, person)] : []
  })
  return new Reply(views, { extra: { next_cursor } })
}

export async function primaryDomainOf(db: Services['db'], person: Pick<Person, 'id'>): Promise<string | undefined> {
  const primary = await db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', person.id)
    .where('is_primary', '=', true)
    .executeTakeFirst()
  return primary?.id
}
