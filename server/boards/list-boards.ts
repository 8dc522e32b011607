import { sql } from 'kysely'
import type { BoardInList } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import { type PageOrder, parseCursor, readPage } from '#server/http/pages.ts'
import { Reply } from '#server/http/serve-area.ts'
import type { Services } from '#server/services.ts'
import { selectGrantedRight, selectSharedBoardIds, toBoardRight } from './board-access.ts'
import { toBoardInList } from './board-view.ts'

export const demoDomainId = 'demo'

const newestChangeFirst: PageOrder = [
  [sql.ref('boards.updated_at'), 'desc'],
  [sql.ref('boards.id'), 'asc'],
]

/**
 * Latest change first. `demo` means the primary domain, and includes boards without a domain.
 * @throws Problem 400 for an invalid cursor
 */
export async function listBoards(
  { db }: Services,
  person: Pick<Person, 'id'>,
  { domainId, cursor }: { domainId?: string | undefined; cursor?: string | undefined } = {},
): Promise<Reply<BoardInList[]>> {
  const isPrimary = domainId === demoDomainId
  const filterDomainId = isPrimary ? ((await findPrimaryDomainId(db, person)) ?? '') : domainId
  const grantedRight = selectGrantedRight(person)
  const matchingBoards = db
    .selectFrom('boards')
    .innerJoin('people', 'people.id', 'boards.owner_id')
    .select(['boards.id', 'boards.owner_id', 'boards.domain_id', 'boards.name', 'boards.description', 'boards.type'])
    .select(['boards.engagement_mode', 'boards.entity_type', 'boards.entity_id', 'boards.frame_count'])
    .select(['boards.created_at', 'boards.updated_at', 'boards.rev', 'boards.link_hash', 'people.name as owner_name'])
    .select(
      sql<number | null>`case when boards.owner_id = ${person.id} then null else ${grantedRight} end`.as(
        'granted_right',
      ),
    )
    .select(
      sql<number | null>`(select 1 from domain_boards where domain_boards.board_id = boards.id limit 1)`.as(
        'in_domain',
      ),
    )
    .where('boards.deleted_at', 'is', null)
    .where(
      'boards.id',
      'in',
      sql<string>`(select id from boards where owner_id = ${person.id} union select * from ${selectSharedBoardIds(person)} as shared)`,
    )
    .where((where) => where.or([where('boards.owner_id', '=', person.id), where(grantedRight, '>', 0)]))
    .$if(filterDomainId !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where.and([
            where('boards.owner_id', '=', person.id),
            where.or([
              where('boards.domain_id', '=', filterDomainId ?? ''),
              ...(isPrimary ? [where('boards.domain_id', 'is', null)] : []),
            ]),
          ]),
          where('boards.id', 'in', selectSharedBoardIds(person, filterDomainId)),
        ]),
      ),
    )
  const { rows, next_cursor } = await readPage(matchingBoards, {
    order: newestChangeFirst,
    after: parseCursor(cursor, ['number', 'string']),
    getPosition: ({ updated_at, id }) => [updated_at, id],
  })
  const views = rows.flatMap((row) => {
    const may = toBoardRight(row, row.granted_right, person)
    const isShared = row.in_domain !== null || row.link_hash !== null
    return may ? [toBoardInList(row, { ownerName: row.owner_name, isShared, may }, person)] : []
  })
  return new Reply(views, { extra: { next_cursor } })
}

export async function findPrimaryDomainId(db: Services['db'], person: Pick<Person, 'id'>): Promise<string | undefined> {
  const primary = await db
    .selectFrom('domains')
    .select('id')
    .where('owner_id', '=', person.id)
    .where('is_primary', '=', true)
    .executeTakeFirst()
  return primary?.id
}
