import type * as z from 'zod/mini'
import type { Board, BoardConfig, boards, frameToSave, newFrame } from '#contract/boards/boards.ts'
import { emptyContent } from '#contract/boards/frame-content.ts'
import { frameTypes, isFrameType } from '#contract/boards/frame-types.ts'
import { findFreePositions } from '#contract/boards/free-positions.ts'
import type { Person } from '#server/accounts/person.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { type AccessibleBoard, type BoardRow, requireBoardRight } from './board-access.ts'
import { readBoardContext, toBoard, toConfig } from './board-view.ts'
import { checkFrames } from './check-frames.ts'
import { untitledBoardName } from './create-board.ts'
import { type FrameRow, listFrames, type PlainFrame } from './frame-rows.ts'
import { listReaders, publishBoardsChanged } from './publish-boards-changed.ts'
import { type StoredVersion, toBoardState } from './version-states.ts'
import { buildChange, buildChangeWrites } from './write-board.ts'

type FrameToSave = z.output<typeof frameToSave>
type CompleteFrame = z.output<typeof newFrame>

const defaultSize = { width: 300, height: 200 }

/** Fills gaps from the stored frame or the type's defaults. @throws Problem 400 naming a frame without a free position */
function completeFrames(sentFrames: readonly FrameToSave[], previousFrames: readonly FrameRow[]): CompleteFrame[] {
  const previousById = new Map(previousFrames.map((row) => [row.id, row.data]))
  const completed = sentFrames.map(({ data, ...frame }) => {
    const { frameType } = data
    const previous = previousById.get(frame.id)
    const size = data.size ?? previous?.size ?? (isFrameType(frameType) ? frameTypes[frameType].size : defaultSize)
    const previousContent = previous?.frameType === frameType ? previous.content : undefined
    const content = data.content ?? previousContent ?? emptyContent(frameType)
    return { ...frame, data: { ...data, position: data.position ?? previous?.position, size: { ...size }, content } }
  })
  const positions = findFreePositions(
    completed.flatMap(({ data: { position, size } }) => (position ? [{ ...position, ...size }] : [])),
    completed.flatMap(({ data: { position, size } }) => (position ? [] : [size])),
  )
  return completed.map(({ data, ...frame }, index) => {
    const position = data.position ?? positions.shift()
    if (!position)
      throw badField(`frames.${index}.data.position`, `There’s no free space for “${data.name}”. Give it a position.`)
    return { ...frame, data: { ...data, position } }
  })
}

type SaveBoardBody = z.output<typeof boards.save.body & {}>

export type BoardStateBuilder = (
  board: BoardRow,
  frames: readonly FrameRow[],
) => { config: BoardConfig; frames?: PlainFrame[] }

const maxAttempts = 8

/** @throws Problem 400 naming invalid fields; `stale` with both whole boards as `{yours, current}` */
export function saveBoard(
  services: Services,
  person: Person,
  id: string,
  input: SaveBoardBody,
  ifMatch: number | null,
): Promise<Board> {
  return changeBoard(services, person, id, ifMatch, (board, frames) => ({
    config: mergeConfig(board, input),
    ...(input.frames && { frames: checkFrames(completeFrames(input.frames, frames), frames) }),
  }))
}

/** Older clients send the board back with a changed config, so the config overrides top-level fields. */
function mergeConfig(board: BoardRow, input: SaveBoardBody): BoardConfig {
  const previousConfig = toConfig(board)
  const { name, description, engagementMode } = input
  const topLevelFields = {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(engagementMode !== undefined && { engagementMode }),
  }
  const config = { ...previousConfig, ...topLevelFields, ...input.config }
  return { ...config, name: config.name || untitledBoardName }
}

/** The only way to change a board. Without `ifMatch` the last write wins, and a version keeps the other one. */
export async function changeBoard(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  ifMatch: number | null,
  buildState: BoardStateBuilder,
  restored?: StoredVersion,
): Promise<Board> {
  for (let attempt = 1; ; attempt++) {
    const accessible = await requireBoardRight(services, person, id, 'edit')
    const previousFrames = await listFrames(services, id)
    const change = buildChange(
      services,
      person,
      accessible,
      previousFrames,
      buildState(accessible.board, previousFrames),
    )
    const context = await readBoardContext(services, accessible)
    const { board, frames } = change.next
    if (ifMatch !== null && ifMatch !== accessible.board.rev) {
      const sentBoard = toBoard({ ...board, rev: ifMatch }, frames, context, person)
      throw new Problem('stale', {
        data: { yours: sentBoard, current: toBoard(accessible.board, previousFrames, context, person) },
      })
    }
    if (!change.hasChanged) return toBoard(board, frames, context, person)
    await services.usage.requireSpaceToGrow(
      board.owner_id,
      toBoardState(accessible.board, previousFrames),
      toBoardState(board, frames),
    )
    try {
      await services.db.batch(buildChangeWrites(services, person, change, restored))
    } catch (error) {
      if (!(error instanceof UnexpectedChanges)) throw error
      if (attempt < maxAttempts) continue
      throw new Problem('conflict', {
        message: 'Someone else is saving this board right now. Try again.',
        cause: error,
      })
    }
    await publishSaved(services, person, accessible, board)
    return toBoard(board, frames, context, person)
  }
}

async function publishSaved(
  services: Services,
  { id: personId }: Pick<Person, 'id'>,
  accessible: AccessibleBoard,
  savedBoard: BoardRow,
) {
  for (const reader of await listReaders(services, savedBoard))
    services.live.publish(reader, {
      type: 'board-saved',
      boardId: savedBoard.id,
      rev: savedBoard.rev,
      personId,
      tab: null,
    })
  if (accessible.board.name !== savedBoard.name) await publishBoardsChanged(services, savedBoard)
}
