import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import {
  type Board,
  type BoardConfig,
  type BoardInList,
  type BoardRight,
  type Frame,
  fallbackBoardTheme,
  type NewFrame,
} from '#contract/boards/boards.ts'
import { toFrame as toFullFrame } from '#contract/boards/frame-content.ts'
import type { Person } from '#server/accounts/person.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'
import { type AccessibleBoard, type BoardRow, requireBoardRight } from './board-access.ts'

type BoardViewer = Pick<Person, 'id'>

interface BoardContext {
  ownerName: string | null
  isShared: boolean
  may: BoardRight
}

export async function getBoardView(
  services: Services,
  person: BoardViewer,
  accessible: AccessibleBoard,
): Promise<Board> {
  const context = await readBoardContext(services, accessible)
  return toBoard(accessible.board, await listFrames(services, accessible.board.id), context, person)
}

/** @throws Problem 404 */
export async function showBoard(services: Services, person: BoardViewer, id: string): Promise<Board> {
  return getBoardView(services, person, await requireBoardRight(services, person, id, 'view'))
}

export async function readBoardContext({ db }: Services, { board, may }: AccessibleBoard): Promise<BoardContext> {
  const owner = await db.selectFrom('people').select('name').where('id', '=', board.owner_id).executeTakeFirst()
  const share = await db
    .selectFrom('domain_boards')
    .select('board_id')
    .where('board_id', '=', board.id)
    .limit(1)
    .executeTakeFirst()
  return { ownerName: owner?.name ?? null, isShared: share !== undefined || board.link_hash !== null, may }
}

export function toBoard(
  board: BoardRow,
  frames: readonly FrameRow[],
  context: BoardContext,
  viewer: BoardViewer,
): Board {
  return { ...toBoardInList(board, context, viewer), config: toConfig(board), frames: frames.map(toFrame) }
}

type ListedColumns =
  | 'id'
  | 'owner_id'
  | 'domain_id'
  | 'name'
  | 'description'
  | 'type'
  | 'engagement_mode'
  | 'entity_type'
  | 'entity_id'
  | 'frame_count'
  | 'created_at'
  | 'updated_at'
  | 'rev'

/** The owner's domain stays hidden from people the board is shared with. */
export function toBoardInList(
  board: Pick<BoardRow, ListedColumns>,
  context: BoardContext,
  viewer: BoardViewer,
): BoardInList {
  const isMe = board.owner_id === viewer.id
  const updatedAt = new Date(board.updated_at).toISOString()
  return {
    id: board.id,
    name: board.name,
    type: board.type,
    description: board.description,
    lastModified: updatedAt,
    frameCount: board.frame_count,
    engagementMode: board.engagement_mode,
    domainId: isMe ? board.domain_id : null,
    entityType: board.entity_type,
    entityId: board.entity_id,
    createdAt: new Date(board.created_at).toISOString(),
    updatedAt,
    rev: board.rev,
    may: context.may,
    owner: { id: board.owner_id, name: context.ownerName, isMe },
    isShared: context.isShared || !isMe,
  }
}

export function toConfig(board: BoardRow): BoardConfig {
  return {
    name: board.name,
    description: board.description,
    layout: board.layout,
    engagementMode: board.engagement_mode,
    allowLayoutEditing: board.allow_layout_editing,
    animation: board.animation,
    theme: board.theme ?? fallbackBoardTheme,
  }
}

export function toConfigColumns(config: BoardConfig) {
  return {
    name: config.name,
    description: config.description,
    layout: config.layout,
    engagement_mode: config.engagementMode,
    allow_layout_editing: config.allowLayoutEditing,
    animation: config.animation,
    theme: config.theme,
  }
}

export type FrameRow = Selectable<Schema['board_frames']>
export type FrameFields = Omit<FrameRow, 'board_id' | 'position'>
export type PlainFrame = Pick<FrameRow, 'id' | 'engagement_mode' | 'theme' | 'entity_type' | 'entity_id' | 'data'>

/** Frames in reading order. Read them after the board, so that a save refuses frames newer than its revision. */
export function listFrames({ db }: Pick<Services, 'db'>, boardId: string): Promise<FrameRow[]> {
  return db.selectFrom('board_frames').selectAll().where('board_id', '=', boardId).orderBy('position').execute()
}

export function toNewFrame({ id, entity_type, entity_id, data, engagement_mode, theme }: PlainFrame) {
  const FrameConfig = { engagementMode: engagement_mode, theme }
  return { id, entityType: entity_type, entityId: entity_id, data, FrameConfig } satisfies NewFrame
}

export function toFrame(row: FrameFields): Frame {
  const { created_at, updated_at } = row
  return toFullFrame(toNewFrame(row), new Date(created_at).toISOString(), new Date(updated_at).toISOString())
}

export function toPlainFrame(frame: Frame): PlainFrame {
  return {
    id: frame.id,
    engagement_mode: frame.FrameConfig.engagementMode,
    theme: frame.FrameConfig.theme,
    entity_type: frame.entityType,
    entity_id: frame.entityId,
    data: frame.data,
  }
}

export function toFrameRows(
  boardId: string,
  frames: readonly PlainFrame[],
  previousRows: readonly FrameRow[],
  now: number,
): FrameRow[] {
  const previousById = new Map(previousRows.map((row) => [row.id, row]))
  return frames.map(({ id, engagement_mode, theme, entity_type, entity_id, data }, position) => {
    const previous = previousById.get(id)
    const row = { board_id: boardId, id, position, engagement_mode, theme, entity_type, entity_id, data }
    if (!previous) return { ...row, created_at: now, updated_at: now }
    const { created_at, updated_at } = previous
    const isSame = isDeepStrictEqual(toComparable(row), toComparable(previous))
    return { ...row, created_at, updated_at: isSame ? updated_at : now }
  })
}

function toComparable({ engagement_mode, theme, entity_type, entity_id, data }: Omit<PlainFrame, 'id'>): unknown {
  return JSON.parse(JSON.stringify([engagement_mode, theme, entity_type, entity_id, data]))
}

const batchSize = 200

export function buildFrameWrites(
  { db }: Services,
  previousRows: readonly FrameRow[],
  nextRows: readonly FrameRow[],
): Write[] {
  const previousById = new Map(previousRows.map((row) => [row.id, row]))
  const changed = nextRows.filter((row) => {
    const previous = previousById.get(row.id)
    return !previous || previous.position !== row.position || previous.updated_at !== row.updated_at
  })
  const remainingIds = new Set(nextRows.map(({ id }) => id))
  const removed = previousRows.filter(({ id }) => !remainingIds.has(id))
  return [
    ...toBatches(removed).map((rows) =>
      db
        .deleteFrom('board_frames')
        .where('board_id', '=', rows[0]?.board_id ?? '')
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        ),
    ),
    ...toBatches(changed).map((rows) =>
      db
        .insertInto('board_frames')
        .values(rows.map((row) => ({ ...row, data: json(row.data) })))
        .onConflict((conflict) =>
          conflict.columns(['board_id', 'id']).doUpdateSet(({ ref }) => ({
            position: ref('excluded.position'),
            engagement_mode: ref('excluded.engagement_mode'),
            theme: ref('excluded.theme'),
            entity_type: ref('excluded.entity_type'),
            entity_id: ref('excluded.entity_id'),
            data: ref('excluded.data'),
            updated_at: ref('excluded.updated_at'),
          })),
        ),
    ),
  ]
}

function toBatches<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / batchSize) }, (_, batchIndex) =>
    rows.slice(batchIndex * batchSize, (batchIndex + 1) * batchSize),
  )
}
