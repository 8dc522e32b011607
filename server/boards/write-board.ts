import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, requireChanges, type Write } from '#server/db/database.ts'
import { applyDelta, diffJson } from '#server/db/json-delta.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { type AccessibleBoard, type BoardRow, rightRanks, selectGrantedRight } from './board-access.ts'
import {
  buildFrameWrites,
  type FrameFields,
  type FrameRow,
  type PlainFrame,
  toConfig,
  toConfigColumns,
  toFrame,
  toFrameRows,
  toPlainFrame,
} from './board-view.ts'
import type { PictureRow } from './sharing/board-pictures.ts'

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

export function buildNewBoardWrites(services: Services, board: NewBoard): Write[] {
  const now = services.now().getTime()
  const { theme, ...columns } = toConfigColumns(board.config)
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
    ...buildFrameWrites(services, [], toFrameRows(board.id, board.frames, [], now)),
    ...(board.pictures?.length ? [services.db.insertInto('board_pictures').values(board.pictures)] : []),
  ]
}

interface PendingBoardChange {
  accessible: AccessibleBoard
  previousFrames: readonly FrameRow[]
  next: { board: BoardRow; frames: FrameRow[] }
}

export function buildChange(
  services: Services,
  person: Pick<Person, 'id'>,
  accessible: AccessibleBoard,
  previousFrames: readonly FrameRow[],
  { config, frames }: { config: BoardConfig; frames?: readonly PlainFrame[] },
): PendingBoardChange & { hasChanged: boolean } {
  const now = services.now().getTime()
  const { board } = accessible
  const rows = frames ? toFrameRows(board.id, frames, previousFrames, now) : [...previousFrames]
  const columns = toConfigColumns(config)
  const hasChanged =
    !isDeepStrictEqual(toConfigColumns(toConfig(board)), columns) ||
    rows.length !== previousFrames.length ||
    rows.some(
      (row, index) => row.id !== previousFrames[index]?.id || row.updated_at !== previousFrames[index]?.updated_at,
    )
  if (!hasChanged) return { accessible, previousFrames, next: { board, frames: rows }, hasChanged }
  const nextBoard = {
    ...board,
    ...columns,
    frame_count: rows.length,
    updated_at: now,
    saved_by: person.id,
    rev: board.rev + 1,
  }
  return { accessible, previousFrames, next: { board: nextBoard, frames: rows }, hasChanged }
}

/**
 * Also stores the previous state. `versionToCompact` is stored as a difference to the new state if that is shorter.
 * @throws UnexpectedChanges if the board changed, was trashed or is no longer editable
 */
export function buildChangeWrites(
  services: Services,
  person: Pick<Person, 'id'>,
  { accessible, previousFrames, next }: PendingBoardChange,
  versionToCompact?: StoredVersion,
): Write[] {
  const { db } = services
  const { board } = accessible
  const currentState = toBoardState(next.board, next.frames)
  const { theme, ...columns } = toConfigColumns(toConfig(next.board))
  const { frame_count, updated_at, saved_by, rev } = next.board
  return [
    requireChanges(
      db
        .updateTable('boards')
        .set({ ...columns, theme: json(theme), frame_count, updated_at, saved_by, rev })
        .where('id', '=', board.id)
        .where('rev', '=', board.rev)
        .where('deleted_at', 'is', null)
        .where((where) =>
          where.or([
            where('boards.owner_id', '=', person.id),
            where(selectGrantedRight(person), '=', sql.lit(rightRanks.edit)),
          ]),
        ),
    ),
    db.insertInto('board_versions').values({
      board_id: board.id,
      rev: board.rev,
      at: board.updated_at,
      person_id: board.saved_by,
      name: board.name,
      frame_count: board.frame_count,
      snapshot: json(toVersionSnapshot(toBoardState(board, previousFrames), next.board.rev, currentState)),
    }),
    ...(versionToCompact
      ? buildCompactionWrites(
          services,
          board.id,
          versionToCompact,
          toVersionSnapshot(versionToCompact.state, rev, currentState),
        )
      : []),
    db
      .deleteFrom('board_versions')
      .where('board_id', '=', board.id)
      .where('rev', '<=', board.rev - maxVersions),
    ...buildFrameWrites(services, previousFrames, next.frames),
  ]
}

function buildCompactionWrites(
  { db }: Services,
  boardId: string,
  version: StoredVersion,
  snapshot: VersionSnapshot,
): Write[] {
  const text = json(snapshot)
  if (text.length >= version.length) return []
  return [
    db
      .updateTable('board_versions')
      .set({ snapshot: text })
      .where('board_id', '=', boardId)
      .where('rev', '=', version.rev),
  ]
}

type VersionSnapshot = Schema['board_versions']['snapshot']['__select__']

export interface BoardState {
  config: BoardConfig
  frames: FrameFields[]
}

export interface StoredVersion {
  rev: number
  state: BoardState
  length: number
}

interface RestoredVersion {
  state: BoardState
  /** Has the longest snapshot of the stored versions that the state was rebuilt from. */
  versionToCompact: StoredVersion
}

export function toBoardState(board: BoardRow, frames: readonly FrameRow[]): BoardState {
  return { config: toConfig(board), frames: frames.map(({ board_id, position, ...frame }) => frame) }
}

function toVersionSnapshot(state: BoardState, base: number, newer: BoardState): VersionSnapshot {
  return { base, delta: diffJson(newer, state) ?? null }
}

export function toVersionView({ config, frames }: BoardState): { config: BoardConfig; frames: Frame[] } {
  return { config, frames: frames.map((frame) => toFrame(frame)) }
}

const versionsPerQuery = 20

/**
 * Rebuilds a version from the nearest newer full snapshot, or from `current`. Undefined if there is no such version, or
 * `current` is outdated.
 */
export async function findVersionState(
  { db }: Pick<Services, 'db'>,
  boardId: string,
  rev: number,
  current: { rev: number; state: BoardState },
): Promise<RestoredVersion | undefined> {
  const snapshots: { rev: number; snapshot: VersionSnapshot }[] = []
  let state: BoardState | undefined
  for (let nextRev = rev; !state; ) {
    const rows = await db
      .selectFrom('board_versions')
      .select(['rev', 'snapshot'])
      .where('board_id', '=', boardId)
      .where('rev', '>=', nextRev)
      .where('rev', '<', current.rev)
      .orderBy('rev')
      .limit(versionsPerQuery)
      .execute()
    for (const row of rows) {
      if (row.rev < nextRev) continue
      if (row.rev > nextRev) return undefined
      snapshots.push(row)
      if (!('base' in row.snapshot)) {
        state = fromFullSnapshot(row.snapshot)
        break
      }
      nextRev = row.snapshot.base
    }
    if (state) break
    if (nextRev === current.rev) state = current.state
    else if (rows.length < versionsPerQuery) return undefined
  }
  let versionToCompact: StoredVersion | undefined
  for (const { rev, snapshot } of snapshots.toReversed()) {
    if ('base' in snapshot) state = applyDelta(state, snapshot.delta ?? undefined) as BoardState
    const { length } = JSON.stringify(snapshot)
    if (!versionToCompact || length > versionToCompact.length) versionToCompact = { rev, state, length }
  }
  return versionToCompact && { state, versionToCompact }
}

function fromFullSnapshot({ config, frames }: { config: BoardConfig; frames: Frame[] }): BoardState {
  return {
    config,
    frames: frames.map((frame) => ({
      ...toPlainFrame(frame),
      created_at: Date.parse(frame.createdAt),
      updated_at: Date.parse(frame.updatedAt),
    })),
  }
}
