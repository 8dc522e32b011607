import {
  type Board,
  type BoardConfig,
  type BoardInList,
  type BoardRight,
  themeOfThemeless,
} from '#contract/boards/boards.ts'
import type { Person } from '#server/accounts/person.ts'
import type { Services } from '#server/services.ts'
import type { BoardOf, BoardRow } from './board-access.ts'
import { type FrameRow, framesOf, frameView } from './frame-rows.ts'

type Reader = Pick<Person, 'id'>

export interface AroundBoard {
  ownerName: string | null
  isShared: boolean
  may: BoardRight
}

export async function boardView(services: Services, person: Reader, found: BoardOf): Promise<Board> {
  const around = await aroundBoard(services, found)
  return viewOf(found.board, await framesOf(services, found.board.id), around, person)
}

export async function aroundBoard({ db }: Services, { board, may }: BoardOf): Promise<AroundBoard> {
  const owner = await db.selectFrom('people').select('name').where('id', '=', board.owner_id).executeTakeFirst()
  const share = await db
    .selectFrom('domain_boards')
    .select('board_id')
    .where('board_id', '=', board.id)
    .limit(1)
    .executeTakeFirst()
  return { ownerName: owner?.name ?? null, isShared: share !== undefined || board.link_hash !== null, may }
}

export function viewOf(board: BoardRow, frames: readonly FrameRow[], around: AroundBoard, reader: Reader): Board {
  return { ...viewInList(board, around, reader), config: configOf(board), frames: frames.map(frameView) }
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
export function viewInList(board: Pick<BoardRow, ListedColumns>, around: AroundBoard, reader: Reader): BoardInList {
  const isMe = board.owner_id === reader.id
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
    may: around.may,
    owner: { id: board.owner_id, name: around.ownerName, isMe },
    isShared: around.isShared || !isMe,
  }
}

export function configOf(board: BoardRow): BoardConfig {
  return {
    name: board.name,
    description: board.description,
    layout: board.layout,
    engagementMode: board.engagement_mode,
    allowLayoutEditing: board.allow_layout_editing,
    animation: board.animation,
    theme: board.theme ?? themeOfThemeless,
  }
}

export function columnsOf(config: BoardConfig) {
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
