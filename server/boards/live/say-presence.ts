import type * as z from 'zod/mini'
import { mostSelectionShown, type presence, type SomebodyThere } from '#contract/boards/board-live.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from '../board-access.ts'
import { readersOf } from '../tell-boards.ts'
import { guestsOfAll, noteGuest, noteLeaving } from './rooms-of-all.ts'
import { tellRoom } from './tell-room.ts'

/** Returns all guests, including oneself. @throws Problem 404 for an invisible board */
export async function sayPresence(
  services: Services,
  person: Person,
  boardId: string,
  { tab, cursor, selection, gone = false }: z.output<typeof presence>,
): Promise<SomebodyThere[]> {
  const { boardRooms, bus } = services
  const { board, may } = await requireBoardTo(services, person, boardId, 'view')
  const now = services.now().getTime()
  const readers = new Set(await readersOf(services, board))
  const shown = selection.slice(0, mostSelectionShown)
  const who: SomebodyThere = { tab, personId: person.id, name: person.name, may, cursor, selection: shown }
  const isReader = ({ personId }: SomebodyThere) => readers.has(personId)
  if (bus.isOpen) {
    await (gone ? noteLeaving(services, board.id, who) : noteGuest(services, board.id, who))
    return (await guestsOfAll(services, board.id)).filter(isReader)
  }
  const left = gone ? boardRooms.leave(board.id, tab, person.id) : undefined
  if (!gone) boardRooms.enter(board.id, who, now)
  const guests = boardRooms.guests(board.id, now)
  if (left || !gone)
    tellRoom(services, guests, readers, { type: 'board-presence', boardId: board.id, who: left ?? who, gone })
  return guests.filter(isReader)
}
