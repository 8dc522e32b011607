import { sql } from 'kysely'
import type { BoardLink, RightsOfRoles, ShareOfBoard } from '#contract/boards/board-sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { countReaders } from '#server/domains/count-readers.ts'
import { giverBelongs } from '#server/domains/giver-belongs.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from '../board-access.ts'
import { boardLink } from './board-link.ts'

const people = countReaders({
  admin: sql`share.admin_may <> 'none'`,
  user: sql`share.user_may <> 'none'`,
  friend: sql`share.friend_may <> 'none'`,
  connection: sql`share.connection_may <> 'none'`,
}).as('people')

/** Domains by name, and the link. @throws Problem 404; 403 for people other than the owner */
export async function sharesOfBoard(
  services: Services,
  person: Pick<Person, 'id'>,
  boardId: string,
): Promise<{ domains: ShareOfBoard[]; link: BoardLink | null }> {
  const { board } = await requireBoardTo(services, person, boardId, 'owner')
  const rows = await givenBoards(services, person).where('share.board_id', '=', board.id).execute()
  return { domains: rows.map(shareView), link: boardLink(services, board) }
}

export async function shareOfBoardIn(
  services: Services,
  person: Pick<Person, 'id'>,
  boardId: string,
  domainId: string,
): Promise<ShareOfBoard | undefined> {
  const row = await givenBoards(services, person)
    .where('share.board_id', '=', boardId)
    .where('share.domain_id', '=', domainId)
    .executeTakeFirst()
  return row && shareView(row)
}

const givenBoards = ({ db }: Services, person: Pick<Person, 'id'>) =>
  db
    .selectFrom('domain_boards as share')
    .innerJoin('domains', 'domains.id', 'share.domain_id')
    .where('share.owner_id', '=', person.id)
    .where(giverBelongs)
    .select(['share.domain_id', 'share.shared_at', 'domains.name as domain_name', people])
    .select(['share.admin_may', 'share.user_may', 'share.friend_may', 'share.connection_may'])
    .orderBy('domains.name')
    .orderBy('domains.id')

type Row = Awaited<ReturnType<ReturnType<typeof givenBoards>['execute']>>[number]

const shareView = (row: Row): ShareOfBoard => ({
  domainId: row.domain_id,
  domainName: row.domain_name,
  rights: rightsIn(row),
  people: Number(row.people),
  sharedAt: new Date(row.shared_at).toISOString(),
})

const rightsIn = (row: Pick<Row, 'admin_may' | 'user_may' | 'friend_may' | 'connection_may'>): RightsOfRoles => ({
  admin: row.admin_may,
  user: row.user_may,
  friend: row.friend_may,
  connection: row.connection_may,
})
