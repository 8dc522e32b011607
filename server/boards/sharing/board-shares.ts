import { sql } from 'kysely'
import type { BoardLink, BoardShareInfo, RoleRights } from '#contract/boards/board-sharing.ts'
import { memberRoles } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import {
  createDomainNotFoundProblem,
  lockDomain,
  requireDomainAccess,
  retryOnConflict,
} from '#server/domains/domain-access.ts'
import { acceptMembership } from '#server/domains/members/members.ts'
import { publishDomainChanged } from '#server/domains/publish-domain-changed.ts'
import {
  canRevoke,
  createUnshareRefusedProblem,
  isSharerMember,
  selectReaderCount,
} from '#server/domains/readable-shares.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import {
  createBoardNotFoundProblem,
  listReaderIds,
  publishBoardsChanged,
  requireBoardRight,
  selectGrantedRight,
  toBoardRight,
} from '../board-access.ts'
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

async function findBoardShare(
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
    .where(isSharerMember)
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

/** @throws Problem 404, 403 for people other than the owner or a role that can't share, 400 if no role is chosen */
export async function shareBoard(
  services: Services,
  person: Person,
  { id: boardId, domainId }: { id: string; domainId: string },
  rights: RoleRights,
): Promise<BoardShareInfo> {
  return retryOnConflict(async () => {
    const { board } = await requireBoardRight(services, person, boardId, 'owner')
    const access = await requireDomainAccess(services, person, domainId, 'share')
    if (memberRoles.every((role) => rights[role] === 'none'))
      throw badField('rights', 'Choose at least one role, or unshare the board.')
    const previousShare = await findBoardShare(services, person, board.id, domainId)
    if (previousShare && memberRoles.every((role) => previousShare.rights[role] === rights[role])) return previousShare
    const readerIds = await listReaderIds(services, board)
    const columns = {
      admin_may: rights.admin,
      user_may: rights.user,
      friend_may: rights.friend,
      connection_may: rights.connection,
    }
    await services.db.batch([
      ...lockDomain(services, person, access),
      ...acceptMembership(services, person, access),
      services.db
        .insertInto('domain_boards')
        .values({
          domain_id: domainId,
          board_id: board.id,
          owner_id: person.id,
          shared_at: services.now().getTime(),
          ...columns,
        })
        .onConflict((conflict) => conflict.columns(['domain_id', 'board_id']).doUpdateSet(columns)),
      insertAudit(services, {
        action: 'board-shared',
        actor: person,
        domainId,
        details: { boardId: board.id, ...rights },
      }),
    ])
    await publishBoardsChanged(services, board, readerIds)
    await publishDomainChanged(services, domainId)
    const share = await findBoardShare(services, person, board.id, domainId)
    if (!share) throw createDomainNotFoundProblem()
    return share
  })
}

/** For the board's owner or a manager of members. @throws Problem 404; 403 for other members */
export async function unshareBoard(
  services: Services,
  person: Person,
  { id: boardId, domainId }: { id: string; domainId: string },
): Promise<null> {
  return retryOnConflict(async () => {
    const access = await requireDomainAccess(services, person, domainId, 'see').catch((error) => {
      throw error instanceof Problem && error.code === 'not-found' ? createBoardNotFoundProblem() : error
    })
    const row = await services.db
      .selectFrom('domain_boards as share')
      .innerJoin('boards', 'boards.id', 'share.board_id')
      .select(['boards.id', 'boards.owner_id', selectGrantedRight(person).as('granted_right')])
      .where('share.domain_id', '=', domainId)
      .where('share.board_id', '=', boardId)
      .where('boards.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row) throw createBoardNotFoundProblem()
    if (!canRevoke(person, access.role, row.owner_id))
      throw toBoardRight(row, row.granted_right, person) ? createUnshareRefusedProblem() : createBoardNotFoundProblem()
    const readerIds = await listReaderIds(services, row)
    await services.db.batch([
      ...lockDomain(services, person, access),
      requireChanges(
        services.db.deleteFrom('domain_boards').where('domain_id', '=', domainId).where('board_id', '=', row.id),
      ),
      insertAudit(services, {
        action: 'board-unshared',
        actor: person,
        personId: row.owner_id,
        domainId,
        details: { boardId: row.id },
      }),
    ])
    await publishBoardsChanged(services, row, readerIds)
    await publishDomainChanged(services, domainId, [person.id])
    return null
  })
}
