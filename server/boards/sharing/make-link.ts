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

/** A new link for looking at a board; the one before works no more. @throws Problem 404; 403 for who is not its owner */
export async function makeLink(services: Services, person: Pick<Person, 'id'>, id: string): Promise<BoardLink> {
  const { board } = await requireBoardTo(services, person, id, 'owner')
  // Another making time even within a millisecond: the same one would make the same link.
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
  // Of two made at once one counts, and both are told that one.
  const made = boardLink(services, (await requireBoardTo(services, person, id, 'owner')).board)
  if (!made) throw new Problem('conflict', { message: 'The link was taken back at this moment. Make a new one.' })
  await tellBoardsChanged(services, board)
  return made
}

/** Takes the link back; who has it finds nothing from the next request on. @throws Problem 404; 403 for who is not its owner */
export async function removeLink(services: Services, person: Pick<Person, 'id'>, id: string): Promise<null> {
  const { board } = await requireBoardTo(services, person, id, 'owner')
  try {
    await services.db.batch([
      // The making time stays: no later link may be the same as this one.
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
    // There is none, which is what was asked for.
    if (!(error instanceof UnexpectedChanges)) throw error
  }
  await tellBoardsChanged(services, board)
  return null
}
