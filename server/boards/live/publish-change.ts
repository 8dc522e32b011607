import type { BoardChange } from '#contract/boards/board-live.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { listReaders } from '../publish-boards-changed.ts'
import { broadcastToBoard } from './broadcast-to-board.ts'
import { listAllParticipants, recordChange } from './session-sync.ts'

/** Returns the sequence number. @throws Problem 404, 403 without edit access, 400 for an unknown tab */
export async function publishChange(
  services: Services,
  person: Person,
  boardId: string,
  { tab, change }: { tab: string; change: BoardChange },
): Promise<{ seq: number }> {
  const { board } = await requireBoardRight(services, person, boardId, 'edit')
  const { boardSessions, bus } = services
  const participants = bus.isOpen
    ? await listAllParticipants(services, board.id)
    : boardSessions.listParticipants(board.id, services.now().getTime())
  const { id: personId, name } = person
  if (!participants.some((participant) => participant.tab === tab && participant.personId === personId))
    throw badField('tab', 'This tab isn’t on the board. Send its presence first.')
  if (bus.isOpen) return { seq: await recordChange(services, board.id, { tab, personId, change }) }
  const seq = boardSessions.nextSeq(board.id, services.now().getTime())
  const readers = new Set(await listReaders(services, board))
  const event = { type: 'board-change', boardId: board.id, tab, personId, name, seq, change } as const
  broadcastToBoard(services, boardSessions.listParticipants(board.id, services.now().getTime()), readers, event)
  return { seq }
}
