import type { BoardLink } from '#contract/boards/board-sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { publishBoardsChanged } from '../publish-boards-changed.ts'
import { deriveLinkToken, getBoardLink } from './board-link.ts'

/** Creates a view link that replaces the previous one. @throws Problem 404; 403 for people other than the owner */
export async function createBoardLink(services: Services, person: Pick<Person, 'id'>, id: string): Promise<BoardLink> {
  const { board } = await requireBoardRight(services, person, id, 'owner')
  // Must differ from the previous time even within a millisecond, or the token would be the same.
  const createdAt = Math.max(services.now().getTime(), (board.link_made_at ?? 0) + 1)
  const link = {
    link_hash: deriveLinkToken(services, { id, createdAt }).hash,
    link_made_at: createdAt,
    link_opened_at: null,
  }
  try {
    await services.db.batch([
      requireChanges(
        services.db
          .updateTable('boards')
          .set(link)
          .where('id', '=', id)
          .where('owner_id', '=', person.id)
          .where('deleted_at', 'is', null)
          .where('link_made_at', 'is not distinct from', board.link_made_at),
      ),
      insertAudit(services, { action: 'board-link-made', actor: person, details: { boardId: id } }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
  }
  // When two requests race, one wins and both callers get its link.
  const createdLink = getBoardLink(services, (await requireBoardRight(services, person, id, 'owner')).board)
  if (!createdLink) throw new Problem('conflict', { message: 'The link was just revoked. Create a new one.' })
  await publishBoardsChanged(services, board)
  return createdLink
}

/** Revokes the link from the next request on. @throws Problem 404; 403 for people other than the owner */
export async function removeBoardLink(services: Services, person: Pick<Person, 'id'>, id: string): Promise<null> {
  const { board } = await requireBoardRight(services, person, id, 'owner')
  try {
    await services.db.batch([
      // The creation time stays, so that no later link gets the same token.
      requireChanges(
        services.db
          .updateTable('boards')
          .set({ link_hash: null, link_opened_at: null })
          .where('id', '=', id)
          .where('owner_id', '=', person.id)
          .where('link_hash', 'is not', null),
      ),
      insertAudit(services, { action: 'board-link-removed', actor: person, details: { boardId: id } }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
  }
  await publishBoardsChanged(services, board)
  return null
}
