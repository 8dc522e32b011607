import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { lockDomain, requireDomainTo, retryOnConflict } from '#server/domains/domain-access.ts'
import { publishDomainChanged } from '#server/domains/publish-domain-changed.ts'
import { canRevoke, revokeRefused } from '#server/domains/readable-shares.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { boardNotFound, selectGrantedRight, toBoardRight } from '../board-access.ts'
import { listReaders, publishBoardsChanged } from '../publish-boards-changed.ts'

/** For the board's owner or a manager of members. @throws Problem 404; 403 for other members */
export async function unshareBoard(
  services: Services,
  person: Person,
  { id: boardId, domainId }: { id: string; domainId: string },
): Promise<null> {
  return retryOnConflict(async () => {
    const access = await requireDomainTo(services, person, domainId, 'see').catch((error) => {
      throw error instanceof Problem && error.code === 'not-found' ? boardNotFound() : error
    })
    const row = await services.db
      .selectFrom('domain_boards as share')
      .innerJoin('boards', 'boards.id', 'share.board_id')
      .select(['boards.id', 'boards.owner_id', selectGrantedRight(person).as('given')])
      .where('share.domain_id', '=', domainId)
      .where('share.board_id', '=', boardId)
      .where('boards.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row) throw boardNotFound()
    if (!canRevoke(person, access.role, row.owner_id))
      throw toBoardRight(row, row.given, person) ? revokeRefused() : boardNotFound()
    const readers = await listReaders(services, row)
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
    await publishBoardsChanged(services, row, readers)
    await publishDomainChanged(services, domainId, [person.id])
    return null
  })
}
