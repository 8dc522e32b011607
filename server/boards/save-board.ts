import type * as z from 'zod/mini'
import type { Board, BoardConfig, boards } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type BoardOf, type BoardRow, requireBoardTo } from './board-access.ts'
import { aroundBoard, configOf, viewOf } from './board-view.ts'
import { checkFrames } from './check-frames.ts'
import { untitled } from './create-board.ts'
import { type FrameRow, framesOf, type PlainFrame } from './frame-rows.ts'
import { readersOf, tellBoardsChanged } from './tell-boards.ts'
import { boardState, type StoredVersion } from './version-states.ts'
import { wholeFrames } from './whole-frames.ts'
import { changeOf, changeWrites } from './write-board.ts'

type Sent = z.output<typeof boards.save.body & {}>

export type Wanted = (board: BoardRow, frames: readonly FrameRow[]) => { config: BoardConfig; frames?: PlainFrame[] }

const tries = 8

/** @throws Problem 400 naming invalid fields; `stale` with both whole boards as `{yours, current}` */
export function saveBoard(
  services: Services,
  person: Person,
  id: string,
  sent: Sent,
  ifMatch: number | null,
): Promise<Board> {
  return changeBoard(services, person, id, ifMatch, (board, frames) => ({
    config: configFrom(board, sent),
    ...(sent.frames && { frames: checkFrames(wholeFrames(sent.frames, frames), frames) }),
  }))
}

/** Older clients send the board back with a changed config, so the config overrides top-level fields. */
function configFrom(board: BoardRow, sent: Sent): BoardConfig {
  const before = configOf(board)
  const { name, description, engagementMode } = sent
  const beside = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(engagementMode !== undefined && { engagementMode }),
  }
  const after = { ...before, ...beside, ...sent.config }
  return { ...after, name: after.name || untitled }
}

/** The only way to change a board. Without `ifMatch` the last write wins, and a version keeps the other one. */
export async function changeBoard(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  ifMatch: number | null,
  wanted: Wanted,
  restored?: StoredVersion,
): Promise<Board> {
  for (let attempt = 1; ; attempt++) {
    const found = await requireBoardTo(services, person, id, 'edit')
    const before = await framesOf(services, id)
    const change = changeOf(services, person, found, before, wanted(found.board, before))
    const around = await aroundBoard(services, found)
    const { board, frames } = change.after
    if (ifMatch !== null && ifMatch !== found.board.rev) {
      const yours = viewOf({ ...board, rev: ifMatch }, frames, around, person)
      throw new Problem('stale', { data: { yours, current: viewOf(found.board, before, around, person) } })
    }
    if (!change.isChange) return viewOf(board, frames, around, person)
    await services.usage.requireSpaceToGrow(board.owner_id, boardState(found.board, before), boardState(board, frames))
    try {
      await services.db.batch(changeWrites(services, person, change, restored))
    } catch (error) {
      // Changed concurrently: read again, which reports `stale` to clients with `ifMatch`.
      if (!(error instanceof UnexpectedChanges)) throw error
      if (attempt < tries) continue
      throw new Problem('conflict', {
        message: 'Someone else is saving this board right now. Try again.',
        cause: error,
      })
    }
    await tellSaved(services, person, found, board)
    return viewOf(board, frames, around, person)
  }
}

async function tellSaved(services: Services, { id: personId }: Pick<Person, 'id'>, found: BoardOf, after: BoardRow) {
  for (const reader of await readersOf(services, after))
    services.live.tell(reader, { type: 'board-saved', boardId: after.id, rev: after.rev, personId, tab: null })
  if (found.board.name !== after.name) await tellBoardsChanged(services, after)
}
