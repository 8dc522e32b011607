import { sql } from 'kysely'
import type { BoardLink, BoardShareInfo, RoleRights } from '#contract/boards/board-sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { selectReaderCount, sharerIsMember } from '#server/domains/readable-shares.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { getBoardLink } from './board-link.ts'

const readerCount = selectReaderCount({
  admin: sql`share.admin_may <> 'none'`,
  user: sql`share.user_may <> 'none'`,
  friend: sql`share.friend_may <> 'none'`,
  connection: sql`share.connection_may <> 'none'`,
}).as('people')

/** Domains by name, and the link. @throws Problem 404; 403 for people other than the owner */
export async function listBoardShares(
  services: Services,
  person: Pick<Person, 'id'>,
  boardId: string,
): Promise<{ domains: BoardShareInfo[]; link: BoardLink | null }> {
  const { board } = await requireBoardRight(services, person, boardId, 'owner')
  const rows = await selectBoardShares(services, person).where('share.board_id', '=', board.id).execute()
  return { domains: rows.map(toBoardShare), link: getBoardLink(services, board) }
}

export async function findBoardShare(
  services: Services,
  person: Pick<Person, 'id'>,
  boardId: string,
  domainId: string,
): Promise<BoardShareInfo | undefined> {
  const row = await selectBoardShares(services, person)
    .where('share.board_id', '=', boardId)
    .where('share.domain_id', '=', domainId)
    .executeTakeFirst()
  return row && toBoardShare(row)
}

const selectBoardShares = ({ db }: Services, person: Pick<Person, 'id'>) =>
  db
    .selectFrom('domain_boards as share')
    .innerJoin('domains', 'domains.id', 'share.domain_id')
    .where('share.owner_id', '=', person.id)
    .where(sharerIsMember)
    .select(['share.domain_id', 'share.shared_at', 'domains.name as domain_name', readerCount])
    .select(['share.admin_may', 'share.user_may', 'share.friend_may', 'share.connection_may'])
    .orderBy('domains.name')
    .orderBy('domains.id')

type BoardShareRow = Awaited<ReturnType<ReturnType<typeof selectBoardShares>['execute']>>[number]

const toBoardShare = (row: BoardShareRow): BoardShareInfo => ({
  domainId: row.domain_id,
  domainName: row.domain_name,
  rights: toRights(row),
  people: Number(row.people),
  sharedAt: new Date(row.shared_at).toISOString(),
})

const toRights = (
  row: Pick<BoardShareRow, 'admin_may' | 'user_may' | 'friend_may' | 'connection_may'>,
): RoleRights => ({
  admin: row.admin_may,
  user: row.user_may,
  friend: row.friend_may,
  connection: row.connection_may,
})
