import type { Board, BoardConfig, BoardVersion, Frame } from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField, Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { requireBoardRight } from './board-access.ts'
import { listFrames } from './board-view.ts'
import { changeBoard } from './save-board.ts'
import { type BoardState, findVersionState, type StoredVersion, toBoardState, toVersionView } from './write-board.ts'

type VersionReader = Pick<Person, 'id'>

const defaultPageSize = 50
const maxRev = 2 ** 31 - 1

/** @throws Problem 403 for viewers, since an old state may contain what was revoked */
export async function listBoardVersions(
  services: Services,
  person: VersionReader,
  id: string,
  { cursor, limit = defaultPageSize }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<{ items: BoardVersion[]; next_cursor: string | null }> {
  await requireBoardRight(services, person, id, 'edit')
  const rows = await services.db
    .selectFrom('board_versions')
    .leftJoin('people', 'people.id', 'board_versions.person_id')
    .select(['board_versions.rev', 'board_versions.at', 'board_versions.person_id', 'people.name as person_name'])
    .select(['board_versions.name', 'board_versions.frame_count'])
    .where('board_versions.board_id', '=', id)
    .where('board_versions.rev', '<', cursor === undefined ? maxRev : parseRev(cursor))
    .orderBy('board_versions.rev', 'desc')
    .limit(limit + 1)
    .execute()
  const items = rows.slice(0, limit).map((row) => ({
    rev: row.rev,
    at: new Date(row.at).toISOString(),
    by: row.person_id === null ? null : { id: row.person_id, name: row.person_name },
    name: row.name,
    frameCount: row.frame_count,
  }))
  return { items, next_cursor: rows.length > limit ? String(items.at(-1)?.rev) : null }
}

function parseRev(cursor: string): number {
  if (!/^\d{1,9}$/.test(cursor)) throw badField('cursor', 'Use the next_cursor of the previous page.')
  return Number(cursor)
}

/** The current revision counts, too. @throws Problem 404 for an unknown or dropped version */
export async function showBoardVersion(
  services: Services,
  person: VersionReader,
  { id, rev }: { id: string; rev: number },
): Promise<{ config: BoardConfig; frames: Frame[] }> {
  return toVersionView((await requireBoardVersion(services, person, { id, rev })).state)
}

const maxAttempts = 8

async function requireBoardVersion(
  services: Services,
  person: VersionReader,
  { id, rev }: { id: string; rev: number },
): Promise<{ state: BoardState; versionToCompact?: StoredVersion }> {
  for (let attempt = 1; ; attempt++) {
    const { board } = await requireBoardRight(services, person, id, 'edit')
    const state = toBoardState(board, await listFrames(services, id))
    const version = await findVersionState(services, id, Math.min(rev, maxRev), { rev: board.rev, state })
    const { board: latest } = await requireBoardRight(services, person, id, 'edit')
    // A save between the reads mixes two states.
    if (latest.rev !== board.rev) {
      if (attempt < maxAttempts) continue
      throw new Problem('conflict', { message: 'Someone else is saving this board right now. Try again.' })
    }
    if (rev === board.rev) return { state }
    if (!version) throw new Problem('not-found', { message: 'Version not found' })
    return version
  }
}

/** Restores an earlier state as a new save. @throws Problem 404; `stale` as for any save */
export async function restoreBoardVersion(
  services: Services,
  person: VersionReader,
  { id, rev }: { id: string; rev: number },
  ifMatch: number | null,
): Promise<Board> {
  const { state, versionToCompact } = await requireBoardVersion(services, person, { id, rev })
  const { config, frames } = state
  return changeBoard(services, person, id, ifMatch, () => ({ config, frames }), versionToCompact)
}
