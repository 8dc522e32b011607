import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { BoardConfig } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { type BoardOf, type BoardRow, rightGiven } from './board-access.ts'
import { columnsOf, configOf } from './board-view.ts'
import { type FrameRow, frameWrites, type PlainFrame, rowsOf } from './frame-rows.ts'
import type { PictureRow } from './sharing/keep-picture.ts'
import { boardState, type StoredVersion, type VersionSnapshot, versionSnapshot } from './version-states.ts'

/** Newest earlier states to keep. */
const maxVersions = 200

export interface NewBoard {
  id: string
  owner_id: string
  domain_id: string | null
  type: BoardRow['type']
  config: BoardConfig
  frames: readonly PlainFrame[]
  pictures?: readonly PictureRow[]
  entity?: { type: string; id: string }
}

export function newBoardWrites(services: Services, board: NewBoard): Write[] {
  const now = services.now().getTime()
  const { theme, ...columns } = columnsOf(board.config)
  return [
    services.db.insertInto('boards').values({
      id: board.id,
      owner_id: board.owner_id,
      domain_id: board.domain_id,
      type: board.type,
      ...columns,
      theme: json(theme),
      entity_type: board.entity?.type ?? null,
      entity_id: board.entity?.id ?? null,
      frame_count: board.frames.length,
      created_at: now,
      updated_at: now,
      saved_by: board.owner_id,
    }),
    ...frameWrites(services, [], rowsOf(board.id, board.frames, [], now)),
    ...(board.pictures?.length ? [services.db.insertInto('board_pictures').values(board.pictures)] : []),
  ]
}

export interface Change {
  found: BoardOf
  before: readonly FrameRow[]
  after: { board: BoardRow; frames: FrameRow[] }
}

/** The board with this config and these frames; `isChange` is false if nothing differs. */
export function changeOf(
  services: Services,
  person: Pick<Person, 'id'>,
  found: BoardOf,
  before: readonly FrameRow[],
  { config, frames }: { config: BoardConfig; frames?: readonly PlainFrame[] },
): Change & { isChange: boolean } {
  const now = services.now().getTime()
  const { board } = found
  const rows = frames ? rowsOf(board.id, frames, before, now) : [...before]
  const columns = columnsOf(config)
  const isChange =
    !isDeepStrictEqual(columnsOf(configOf(board)), columns) ||
    rows.length !== before.length ||
    rows.some((row, index) => row.id !== before[index]?.id || row.updated_at !== before[index]?.updated_at)
  if (!isChange) return { found, before, after: { board, frames: rows }, isChange }
  const after = {
    ...board,
    ...columns,
    frame_count: rows.length,
    updated_at: now,
    saved_by: person.id,
    rev: board.rev + 1,
  }
  return { found, before, after: { board: after, frames: rows }, isChange }
}

/** Also stores the previous state. @throws UnexpectedChanges if the board changed, was trashed or isn't editable anymore */
export function changeWrites(
  services: Services,
  person: Pick<Person, 'id'>,
  { found, before, after }: Change,
  restored?: StoredVersion,
): Write[] {
  const { db } = services
  const { board } = found
  const present = boardState(after.board, after.frames)
  const { theme, ...columns } = columnsOf(configOf(after.board))
  const { frame_count, updated_at, saved_by, rev } = after.board
  return [
    requireChanges(
      db
        .updateTable('boards')
        .set({ ...columns, theme: json(theme), frame_count, updated_at, saved_by, rev })
        .where('id', '=', board.id)
        .where('rev', '=', board.rev)
        .where('deleted_at', 'is', null)
        .where((where) =>
          where.or([where('boards.owner_id', '=', person.id), where(rightGiven(person), '=', sql<number>`2`)]),
        ),
    ),
    db.insertInto('board_versions').values({
      board_id: board.id,
      rev: board.rev,
      at: board.updated_at,
      person_id: board.saved_by,
      name: board.name,
      frame_count: board.frame_count,
      snapshot: json(versionSnapshot(boardState(board, before), after.board.rev, present)),
    }),
    ...(restored ? restoredWrites(services, board.id, restored, versionSnapshot(restored.state, rev, present)) : []),
    db
      .deleteFrom('board_versions')
      .where('board_id', '=', board.id)
      .where('rev', '<=', board.rev - maxVersions),
    ...frameWrites(services, before, after.frames),
  ]
}

/** The restored content is in the current state again, so the version only stores a difference. */
function restoredWrites(
  { db }: Services,
  boardId: string,
  restored: StoredVersion,
  snapshot: VersionSnapshot,
): Write[] {
  const text = json(snapshot)
  if (text.length >= restored.length) return []
  return [
    db
      .updateTable('board_versions')
      .set({ snapshot: text })
      .where('board_id', '=', boardId)
      .where('rev', '=', restored.rev),
  ]
}
