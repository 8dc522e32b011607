import type * as z from 'zod/mini'
import type { presence, SomebodyThere } from '#contract/boards/board-live.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from '../board-access.ts'
import { readersOf } from '../tell-boards.ts'
import { tellRoom } from './tell-room.ts'

/**
 * Notes where one is on a board, and tells the others there.
 * @returns who is there, oneself among them
 * @throws Problem 404 for a board that is not theirs to see (any more)
 */
export async function sayPresence(
  services: Services,
  person: Person,
  boardId: string,
  { tab, cursor, selection, gone }: z.output<typeof presence>,
): Promise<SomebodyThere[]> {
  const { boardRooms } = services
  const { board, may } = await requireBoardTo(services, person, boardId, 'view')
  const now = services.now().getTime()
  const readers = new Set(await readersOf(services, board))
  const who: SomebodyThere = { tab, personId: person.id, name: person.name, may, cursor, selection }
  if (gone) {
    const left = boardRooms.leave(board.id, tab, person.id)
    if (left)
      tellRoom(services, board.id, readers, { type: 'board-presence', boardId: board.id, who: left, gone: true })
  } else {
    boardRooms.enter(board.id, who, now)
    tellRoom(services, board.id, readers, { type: 'board-presence', boardId: board.id, who, gone: false })
  }
  return boardRooms.guests(board.id, now).filter(({ personId }) => readers.has(personId))
}
