import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { applyDelta, diffJson } from '#server/db/json-delta.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import type { BoardRow } from './board-access.ts'
import { toConfig } from './board-view.ts'
import { type FrameFields, type FrameRow, toFrame, toPlainFrame } from './frame-rows.ts'

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

export interface RestoredVersion {
  state: BoardState
  /** The stored version with the longest snapshot among those that the state was rebuilt from. */
  maxSource: StoredVersion
}

export function toBoardState(board: BoardRow, frames: readonly FrameRow[]): BoardState {
  return { config: toConfig(board), frames: frames.map(({ board_id, position, ...frame }) => frame) }
}

export function toVersionSnapshot(state: BoardState, base: number, newer: BoardState): VersionSnapshot {
  return { base, delta: diffJson(newer, state) ?? null }
}

export function toVersionView({ config, frames }: BoardState): { config: BoardConfig; frames: Frame[] } {
  return { config, frames: frames.map((frame) => toFrame(frame)) }
}

const versionsPerQuery = 20

/** Rebuilds a version from the nearest newer full snapshot, or from `current`. Undefined if there is none, or `current` is outdated. */
export async function findVersionState(
  { db }: Pick<Services, 'db'>,
  boardId: string,
  rev: number,
  current: { rev: number; state: BoardState },
): Promise<RestoredVersion | undefined> {
  const snapshots: { rev: number; snapshot: VersionSnapshot }[] = []
  let state: BoardState | undefined
  for (let next = rev; !state; ) {
    const rows = await db
      .selectFrom('board_versions')
      .select(['rev', 'snapshot'])
      .where('board_id', '=', boardId)
      .where('rev', '>=', next)
      .where('rev', '<', current.rev)
      .orderBy('rev')
      .limit(versionsPerQuery)
      .execute()
    for (const row of rows) {
      if (row.rev < next) continue
      if (row.rev > next) return undefined
      snapshots.push(row)
      if (!('base' in row.snapshot)) {
        state = fromFullSnapshot(row.snapshot)
        break
      }
      next = row.snapshot.base
    }
    if (state) break
    if (next === current.rev) state = current.state
    else if (rows.length < versionsPerQuery) return undefined
  }
  let maxSource: StoredVersion | undefined
  for (const { rev, snapshot } of snapshots.toReversed()) {
    if ('base' in snapshot) state = applyDelta(state, snapshot.delta ?? undefined) as BoardState
    const { length } = JSON.stringify(snapshot)
    if (!maxSource || length > maxSource.length) maxSource = { rev, state, length }
  }
  return maxSource && { state, maxSource }
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
