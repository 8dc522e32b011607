import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { holdDomain, requireDomainTo, retryOnConflict } from '#server/domains/domain-access.ts'
import { mayTakeBack, othersTakeBack } from '#server/domains/taking-back.ts'
import { tellDomain } from '#server/domains/tell-domain.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { boardNotFound, boardRight, rightGiven } from '../board-access.ts'
import { readersOf, tellBoardsChanged } from '../tell-boards.ts'

/** For the board's owner or a manager of members. @throws Problem 404; 403 for other members */
export async function unshareBoard(
  services: Services,
  person: Person,
  { id: boardId, domainId }: { id: string; domainId: string },
): Promise<null> {
  return retryOnConflict(async () => {
    const found = await requireDomainTo(services, person, domainId, 'see').catch((reason) => {
      throw reason instanceof Problem && reason.code === 'not-found' ? boardNotFound() : reason
    })
    const row = await services.db
      .selectFrom('domain_boards as share')
      .innerJoin('boards', 'boards.id', 'share.board_id')
      .select(['boards.id', 'boards.owner_id', rightGiven(person).as('given')])
      .where('share.domain_id', '=', domainId)
      .where('share.board_id', '=', boardId)
      .where('boards.deleted_at', 'is', null)
      .executeTakeFirst()
    if (!row) throw boardNotFound()
    if (!mayTakeBack(person, found.role, row.owner_id))
      throw boardRight(row, row.given, person) ? othersTakeBack() : boardNotFound()
    const readers = await readersOf(services, row)
    await services.db.batch([
      ...holdDomain(services, person, found),
      requireChanges(
        services.db.deleteFrom('domain_boards').where('domain_id', '=', domainId).where('board_id', '=', row.id),
      ),
      auditing(services, {
        action: 'board-unshared',
        actor: person,
        personId: row.owner_id,
        domainId,
        details: { boardId: row.id },
      }),
    ])
    await tellBoardsChanged(services, row, readers)
    await tellDomain(services, domainId, [person.id])
    return null
  })
}
