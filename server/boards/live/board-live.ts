import type * as z from 'zod/mini'
import {
  type BoardChange,
  type BoardParticipant,
  maxVisibleSelection,
  type presence,
} from '#contract/boards/board-live.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { listReaderIds, requireBoardRight } from '../board-access.ts'
import { broadcastToBoard } from './board-sessions.ts'
import { listAllParticipants, recordChange, recordDeparture, recordParticipant } from './session-sync.ts'

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
  const readerIds = new Set(await listReaderIds(services, board))
  const visibleSelection = selection.slice(0, maxVisibleSelection)
  const participant: BoardParticipant = {
    tab,
    personId: person.id,
    name: person.name,
    may,
    cursor,
    selection: visibleSelection,
  }
  const isReader = ({ personId }: BoardParticipant) => readerIds.has(personId)
  // Other processes can serve this board, too, so its participants are in the database.
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
    broadcastToBoard(services, participants, readerIds, {
      type: 'board-presence',
      boardId: board.id,
      who: leftParticipant ?? participant,
      gone: isLeaving,
    })
  return participants.filter(isReader)
}

/** Returns the sequence number. @throws Problem 404, 403 without edit access, 400 for an unknown tab */
export async function publishChange(
  services: Services,
  person: Person,
  boardId: string,
  { tab, change }: { tab: string; change: BoardChange },
): Promise<{ seq: number }> {
  const { board } = await requireBoardRight(services, person, boardId, 'edit')
  const { boardSessions, bus } = services
  // With several processes, participants and changes are in the database.
  const participants = bus.isOpen
    ? await listAllParticipants(services, board.id)
    : boardSessions.listParticipants(board.id, services.now().getTime())
  const { id: personId, name } = person
  if (!participants.some((participant) => participant.tab === tab && participant.personId === personId))
    throw badField('tab', 'This tab isn’t on the board. Send its presence first.')
  if (bus.isOpen) return { seq: await recordChange(services, board.id, { tab, personId, change }) }
  const seq = boardSessions.incrementSeq(board.id, services.now().getTime())
  const readerIds = new Set(await listReaderIds(services, board))
  const event = { type: 'board-change', boardId: board.id, tab, personId, name, seq, change } as const
  broadcastToBoard(services, boardSessions.listParticipants(board.id, services.now().getTime()), readerIds, event)
  return { seq }
}
