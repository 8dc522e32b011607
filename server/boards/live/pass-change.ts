import type { BoardChange } from '#contract/boards/board-live.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from '../board-access.ts'
import { readersOf } from '../tell-boards.ts'
import { guestsOfAll, noteChange } from './rooms-of-all.ts'
import { tellRoom } from './tell-room.ts'

/** Returns the sequence number. @throws Problem 404, 403 without edit access, 400 for an unknown tab */
export async function passChange(
  services: Services,
  person: Person,
  boardId: string,
  { tab, change }: { tab: string; change: BoardChange },
): Promise<{ seq: number }> {
  const { board } = await requireBoardTo(services, person, boardId, 'edit')
  const { boardRooms, bus } = services
  const guests = bus.isOpen
    ? await guestsOfAll(services, board.id)
    : boardRooms.guests(board.id, services.now().getTime())
  const { id: personId, name } = person
  if (!guests.some((guest) => guest.tab === tab && guest.personId === personId))
    throw badField('tab', 'This tab isn’t on the board. Send its presence first.')
  if (bus.isOpen) return { seq: await noteChange(services, board.id, { tab, personId, change }) }
  const seq = boardRooms.nextSeq(board.id, services.now().getTime())
  const readers = new Set(await readersOf(services, board))
  const event = { type: 'board-change', boardId: board.id, tab, personId, name, seq, change } as const
  tellRoom(services, boardRooms.guests(board.id, services.now().getTime()), readers, event)
  return { seq }
}
