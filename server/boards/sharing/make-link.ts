import type { BoardLink } from '#contract/boards/board-sharing.ts'
import type { Person } from '#server/accounts/person.ts'
import { auditing } from '#server/audit/write-audit.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from '../board-access.ts'
import { tellBoardsChanged } from '../tell-boards.ts'
import { boardLink, linkTokenOf } from './board-link.ts'

/** Creates a view link that replaces the previous one. @throws Problem 404; 403 for people other than the owner */
export async function makeLink(services: Services, person: Pick<Person, 'id'>, id: string): Promise<BoardLink> {
  const { board } = await requireBoardTo(services, person, id, 'owner')
  // Must differ from the previous time even within a millisecond, or the token would be the same.
  const madeAt = Math.max(services.now().getTime(), (board.link_made_at ?? 0) + 1)
  const link = { link_hash: linkTokenOf(services, { id, madeAt }).hash, link_made_at: madeAt, link_opened_at: null }
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
      auditing(services, { action: 'board-link-made', actor: person, details: { boardId: id } }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
  }
  // Of two concurrent links one wins, and both callers get that one.
  const made = boardLink(services, (await requireBoardTo(services, person, id, 'owner')).board)
  if (!made) throw new Problem('conflict', { message: 'The link was just revoked. Create a new one.' })
  await tellBoardsChanged(services, board)
  return made
}

/** Revokes the link from the next request on. @throws Problem 404; 403 for people other than the owner */
export async function removeLink(services: Services, person: Pick<Person, 'id'>, id: string): Promise<null> {
  const { board } = await requireBoardTo(services, person, id, 'owner')
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
      auditing(services, { action: 'board-link-removed', actor: person, details: { boardId: id } }),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
  }
  await tellBoardsChanged(services, board)
  return null
}
