import type * as z from 'zod/mini'
import { type BoardParticipant, maxVisibleSelection, type presence } from '#contract/boards/board-live.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { listReaders } from '../publish-boards-changed.ts'
import { broadcastToBoard } from './broadcast-to-board.ts'
import { listAllGuests, recordDeparture, recordGuest } from './session-sync.ts'

/** Returns all guests, including oneself. @throws Problem 404 for an invisible board */
export async function announcePresence(
  services: Services,
  person: Person,
  boardId: string,
  { tab, cursor, selection, gone: isLeaving = false }: z.output<typeof presence>,
): Promise<BoardParticipant[]> {
  const { boardSessions, bus } = services
  const { board, may } = await requireBoardRight(services, person, boardId, 'view')
  const now = services.now().getTime()
  const readers = new Set(await listReaders(services, board))
  const visibleSelection = selection.slice(0, maxVisibleSelection)
  const guest: BoardParticipant = {
    tab,
    personId: person.id,
    name: person.name,
    may,
    cursor,
    selection: visibleSelection,
  }
  const isReader = ({ personId }: BoardParticipant) => readers.has(personId)
  if (bus.isOpen) {
    await (isLeaving ? recordDeparture(services, board.id, guest) : recordGuest(services, board.id, guest))
    return (await listAllGuests(services, board.id)).filter(isReader)
  }
  const leftGuest = isLeaving ? boardSessions.leave(board.id, tab, person.id) : undefined
  if (!isLeaving) boardSessions.enter(board.id, guest, now)
  const guests = boardSessions.listGuests(board.id, now)
  if (leftGuest || !isLeaving)
    broadcastToBoard(services, guests, readers, {
      type: 'board-presence',
      boardId: board.id,
      who: leftGuest ?? guest,
      gone: isLeaving,
    })
  return guests.filter(isReader)
}
