import {
  type Board,
  type BoardConfig,
  type BoardInList,
  type BoardRight,
  fallbackBoardTheme,
} from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import type { AccessibleBoard, BoardRow } from './board-access.ts'
import { type FrameRow, listFrames, toFrame } from './frame-rows.ts'

type BoardViewer = Pick<Person, 'id'>

export interface BoardContext {
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
