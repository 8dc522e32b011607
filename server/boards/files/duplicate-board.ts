import type * as z from 'zod/mini'
import type { boardFiles } from '#contract/boards/board-files.ts'
import type { Board } from '#contract/boards/boards.ts'
import { truncate } from '#contract/truncate.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireRoom } from '#server/media/require-room.ts'
import type { Services } from '#server/services.ts'
import { requireBoardTo } from '../board-access.ts'
import { configOf } from '../board-view.ts'
import { domainFor, makeBoard, ownBoard } from '../create-board.ts'
import { framesOf } from '../frame-rows.ts'
import { picturesShown } from './export-file.ts'
import { unlink, withNewIds } from './import-file.ts'

type Given = z.output<typeof boardFiles.duplicate.body & {}>

/** Pictures share bytes but count for the copy's owner. @throws Problem 404; 413 without space; 409 for a taken id */
export async function duplicateBoard(
  services: Services,
  person: Person,
  boardId: string,
  { id = services.newId(), name }: Given,
): Promise<Board> {
  const there = await ownBoard(services, person, id)
  if (there) return there
  const { board } = await requireBoardTo(services, person, boardId, 'view')
  const rows = await framesOf(services, board.id)
  const shown = await picturesShown(services, board.id, rows)
  await requireRoom(
    services,
    person.id,
    shown.reduce((sum, { bytes }) => sum + bytes, 0),
  )
  const { frames } = await unlink(services, person, rows)
  const pictureIds = new Map(shown.map((picture) => [picture.id, services.newId()]))
  const created_at = services.now().getTime()
  return makeBoard(services, person, {
    id,
    owner_id: person.id,
    domain_id: await domainFor(services, person),
    type: 'custom_board',
    config: { ...configOf(board), name: name || `${truncate(board.name, 115)} copy` },
    frames: frames.map((frame) => withNewIds(services, frame, pictureIds)),
    pictures: shown.map((picture) => ({
      ...picture,
      id: pictureIds.get(picture.id) ?? services.newId(),
      board_id: id,
      person_id: person.id,
      created_at,
    })),
  })
}
