import type { BoardShareInfo, RoleRights } from '#contract/boards/board-sharing.ts'
import { memberRoles } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { domainNotFound, lockDomain, requireDomainTo, retryOnConflict } from '#server/domains/domain-access.ts'
import { acceptMembership } from '#server/domains/members/members.ts'
import { publishDomainChanged } from '#server/domains/publish-domain-changed.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { listReaders, publishBoardsChanged } from '../publish-boards-changed.ts'
import { findBoardShare } from './board-shares.ts'

/** @throws Problem 404, 403 for people other than the owner or a role that can't share, 400 if no role is chosen */
export async function shareBoard(
  services: Services,
  person: Person,
  { id: boardId, domainId }: { id: string; domainId: string },
  rights: RoleRights,
): Promise<BoardShareInfo> {
  return retryOnConflict(async () => {
    const { board } = await requireBoardRight(services, person, boardId, 'owner')
    const access = await requireDomainTo(services, person, domainId, 'share')
    if (memberRoles.every((role) => rights[role] === 'none'))
      throw badField('rights', 'Choose at least one role, or unshare the board.')
    const previousShare = await findBoardShare(services, person, board.id, domainId)
    if (previousShare && memberRoles.every((role) => previousShare.rights[role] === rights[role])) return previousShare
    const readers = await listReaders(services, board)
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
    await publishBoardsChanged(services, board, readers)
    await publishDomainChanged(services, domainId)
    const share = await findBoardShare(services, person, board.id, domainId)
    if (!share) throw domainNotFound()
    return share
  })
}
