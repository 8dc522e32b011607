import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import type { Schema } from '#server/db/schema.ts'
import { applyDelta, deltaBetween } from '#server/json-delta.ts'
import type { Services } from '#server/services.ts'
import type { BoardRow } from './board-access.ts'
import { configOf } from './board-view.ts'
import { type FrameFields, type FrameRow, frameView, plainFrameOf } from './frame-rows.ts'

export type VersionSnapshot = Schema['board_versions']['snapshot']['__select__']

export interface BoardState {
  config: BoardConfig
  frames: FrameFields[]
}

export interface StoredVersion {
  rev: number
  state: BoardState
  length: number
}

/** A version, and the largest stored one it was reconstructed from. */
export interface FoundVersion {
  state: BoardState
  largest: StoredVersion
}

export function boardState(board: BoardRow, frames: readonly FrameRow[]): BoardState {
  return { config: configOf(board), frames: frames.map(({ board_id, position, ...frame }) => frame) }
}

export function versionSnapshot(state: BoardState, base: number, newer: BoardState): VersionSnapshot {
  return { base, delta: deltaBetween(newer, state) ?? null }
}

export function stateView({ config, frames }: BoardState): { config: BoardConfig; frames: Frame[] } {
  return { config, frames: frames.map((frame) => frameView(frame)) }
}

const versionsPerQuery = 20

/** Rebuilds a version from the first whole newer state. Undefined if there is none, or `present` is outdated. */
export async function findVersionState(
  { db }: Pick<Services, 'db'>,
  boardId: string,
  rev: number,
  present: { rev: number; state: BoardState },
): Promise<FoundVersion | undefined> {
  const path: { rev: number; snapshot: VersionSnapshot }[] = []
  let state: BoardState | undefined
  for (let next = rev; !state; ) {
    const rows = await db
      .selectFrom('board_versions')
      .select(['rev', 'snapshot'])
      .where('board_id', '=', boardId)
      .where('rev', '>=', next)
      .where('rev', '<', present.rev)
      .orderBy('rev')
      .limit(versionsPerQuery)
      .execute()
    for (const row of rows) {
      if (row.rev < next) continue
      if (row.rev > next) return undefined
      path.push(row)
      if (!('base' in row.snapshot)) {
        state = stateOfWhole(row.snapshot)
        break
      }
      next = row.snapshot.base
    }
    if (state) break
    if (next === present.rev) state = present.state
    else if (rows.length < versionsPerQuery) return undefined
  }
  let largest: StoredVersion | undefined
  for (const { rev, snapshot } of path.toReversed()) {
    if ('base' in snapshot) state = applyDelta(state, snapshot.delta ?? undefined) as BoardState
    const { length } = JSON.stringify(snapshot)
    if (!largest || length > largest.length) largest = { rev, state, length }
  }
  return largest && { state, largest }
}

function stateOfWhole({ config, frames }: { config: BoardConfig; frames: Frame[] }): BoardState {
  return {
    config,
    frames: frames.map((frame) => ({
      ...plainFrameOf(frame),
      created_at: Date.parse(frame.createdAt),
      updated_at: Date.parse(frame.updatedAt),
    })),
  }
}
