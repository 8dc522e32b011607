import type { RightsOfRoles, ShareOfBoard } from '#contract/boards/board-sharing.ts'
import { memberRoles } from '#contract/domains/domains.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { agreeing } from '#server/domains/agreeing.ts'
import { domainNotFound, holdDomain, requireDomainTo, retryOnConflict } from '#server/domains/domain-access.ts'
import { tellDomain } from '#server/domains/tell-domain.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from '../board-access.ts'
import { readersOf, tellBoardsChanged } from '../tell-boards.ts'
import { shareOfBoardIn } from './shares-of-board.ts'

/** @throws Problem 404, 403 for people other than the owner or a role that can't share, 400 if no role is chosen */
export async function shareBoard(
  services: Services,
  person: Person,
  { id: boardId, domainId }: { id: string; domainId: string },
  rights: RightsOfRoles,
): Promise<ShareOfBoard> {
  return retryOnConflict(async () => {
    const { board } = await requireBoardTo(services, person, boardId, 'owner')
    const found = await requireDomainTo(services, person, domainId, 'share')
    if (memberRoles.every((role) => rights[role] === 'none'))
      throw badField('rights', 'Choose at least one role, or unshare the board.')
    const before = await shareOfBoardIn(services, person, board.id, domainId)
    if (before && memberRoles.every((role) => before.rights[role] === rights[role])) return before
    const readers = await readersOf(services, board)
    const columns = {
      admin_may: rights.admin,
      user_may: rights.user,
      friend_may: rights.friend,
      connection_may: rights.connection,
    }
    await services.db.batch([
      ...holdDomain(services, person, found),
      ...agreeing(services, person, found),
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
      auditing(services, {
        action: 'board-shared',
        actor: person,
        domainId,
        details: { boardId: board.id, ...rights },
      }),
    ])
    // Also notifies those who just lost access.
    await tellBoardsChanged(services, board, readers)
    await tellDomain(services, domainId)
    const share = await shareOfBoardIn(services, person, board.id, domainId)
    if (!share) throw domainNotFound()
    return share
  })
}
