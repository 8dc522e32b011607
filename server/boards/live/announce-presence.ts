import type * as z from 'zod/mini'
import { type BoardParticipant, maxVisibleSelection, type presence } from '#contract/boards/board-live.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { listReaders } from '../publish-boards-changed.ts'
import { broadcastToBoard } from './broadcast-to-board.ts'
import { listAllParticipants, recordDeparture, recordParticipant } from './session-sync.ts'

/** Returns all participants, including oneself. @throws Problem 404 for an invisible board */
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
  const participant: BoardParticipant = {
    tab,
    personId: person.id,
    name: person.name,
    may,
    cursor,
    selection: visibleSelection,
  }
  const isReader = ({ personId }: BoardParticipant) => readers.has(personId)
  if (bus.isOpen) {
    await (isLeaving
      ? recordDeparture(services, board.id, participant)
      : recordParticipant(services, board.id, participant))
    return (await listAllParticipants(services, board.id)).filter(isReader)
  }
  const leftParticipant = isLeaving ? boardSessions.leave(board.id, tab, person.id) : undefined
  if (!isLeaving) boardSessions.enter(board.id, participant, now)
  const participants = boardSessions.listParticipants(board.id, now)
  if (leftParticipant || !isLeaving)
    broadcastToBoard(services, participants, readers, {
      type: 'board-presence',
      boardId: board.id,
      who: leftParticipant ?? participant,
      gone: isLeaving,
    })
  return participants.filter(isReader)
}
