import type * as z from 'zod/mini'
import type { boardFiles } from '#contract/boards/board-files.ts'
import type { Board } from '#contract/boards/boards.ts'
import { truncate } from '#contract/truncate.ts'
import type { Person } from '#server/accounts/person.ts'
import { requireMediaSpace } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from '../board-access.ts'
import { listFrames, toConfig } from '../board-view.ts'
import { findOwnBoard, insertBoard, requireBoardDomain } from '../create-board.ts'
import { listVisiblePictures } from './export-file.ts'
import { unlinkFrames, withNewIds } from './import-file.ts'

type DuplicateInput = z.output<typeof boardFiles.duplicate.body & {}>

/** Pictures share bytes but count for the copy's owner. @throws Problem 404; 413 without space; 409 for a taken id */
export async function duplicateBoard(
  services: Services,
  person: Person,
  boardId: string,
  { id = services.newId(), name }: DuplicateInput,
): Promise<Board> {
  const existing = await findOwnBoard(services, person, { id })
  if (existing) return existing
  const { board } = await requireBoardRight(services, person, boardId, 'view')
  const rows = await listFrames(services, board.id)
  const visiblePictures = await listVisiblePictures(services, board.id, rows)
  await requireMediaSpace(
    services,
    person.id,
    visiblePictures.reduce((total, { bytes, small_bytes }) => total + bytes + (small_bytes ?? 0), 0),
  )
  const { frames } = await unlinkFrames(services, person, rows)
  const pictureIds = new Map(visiblePictures.map((picture) => [picture.id, services.newId()]))
  const created_at = services.now().getTime()
  return insertBoard(services, person, {
    id,
    owner_id: person.id,
    domain_id: await requireBoardDomain(services, person),
    type: 'custom_board',
    config: { ...toConfig(board), name: name || `${truncate(board.name, 115)} copy` },
    frames: frames.map((frame) => withNewIds(services, frame, pictureIds)),
    pictures: visiblePictures.map((picture) => ({
      ...picture,
      id: pictureIds.get(picture.id) ?? services.newId(),
      board_id: id,
      person_id: person.id,
      created_at,
    })),
  })
}
