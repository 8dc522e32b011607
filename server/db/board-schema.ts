import type { ColumnType } from 'kysely'
import type { BoardChange } from '#contract/boards/board-live.ts'
import type { MemberRight } from '#contract/boards/board-sharing.ts'
import type {
  BoardAnimation,
  BoardConfig,
  BoardLayout,
  BoardRight,
  BoardTheme,
  BoardType,
  Frame,
  FrameData,
} from '#contract/boards/boards.ts'
import type { EngagementPattern } from '#contract/boards/frame-types.ts'
import type { JsonDelta } from '#server/json-delta.ts'
import type { JsonText } from './parameters.ts'

/** Milliseconds since 1970, UTC. */
type Milliseconds = number
type Json<T> = ColumnType<T, JsonText<T>, JsonText<T>>
type WithDefault<T> = ColumnType<T, T | undefined, T>

/** Boards with their frames, what they were before, and who else may open them. */
export interface BoardSchema {
  boards: {
    id: string
    owner_id: string
    /** Where it is listed; sharing is another thing (`domain_boards`). */
    domain_id: string | null
    name: string
    description: string
    type: BoardType
    engagement_mode: EngagementPattern
    layout: BoardLayout
    allow_layout_editing: boolean
    animation: BoardAnimation
    /** `null`: shown in the colours of a board without a theme. */
    theme: Json<BoardTheme | null>
    /** Both or none: the board of that entity, one for each person. */
    entity_type: string | null
    entity_id: string | null
    /** How many rows of `board_frames`, so that a list reads no frame. */
    frame_count: number
    created_at: Milliseconds
    updated_at: Milliseconds
    /** Who made it what it is: the owner, or who may edit. */
    saved_by: string | null
    rev: WithDefault<number>
    deleted_at: ColumnType<Milliseconds | null, Milliseconds | null | undefined, Milliseconds | null>
    /** SHA-256 of the token in the link for viewing. */
    link_hash: ColumnType<string | null, string | null | undefined, string | null>
    link_made_at: ColumnType<Milliseconds | null, Milliseconds | null | undefined, Milliseconds | null>
    link_opened_at: ColumnType<Milliseconds | null, Milliseconds | null | undefined, Milliseconds | null>
  }
  board_frames: {
    board_id: string
    id: string
    /** Reading order: 0, 1, 2 … */
    position: number
    engagement_mode: EngagementPattern
    theme: string | null
    entity_type: string | null
    entity_id: string | null
    data: Json<FrameData>
    created_at: Milliseconds
    updated_at: Milliseconds
  }
  board_versions: {
    board_id: string
    rev: number
    at: Milliseconds
    person_id: string | null
    name: string
    frame_count: number
    /** Whole in rows of older releases; otherwise the way back from the state of the revision `base`, which is newer. */
    snapshot: Json<{ config: BoardConfig; frames: Frame[] } | { base: number; delta: JsonDelta | null }>
  }
  board_pictures: {
    id: string
    board_id: string
    person_id: string
    mime: string
    bytes: number
    sha256: string
    name: string | null
    width: number | null
    height: number | null
    created_at: Milliseconds
  }
  board_templates: {
    id: string
    owner_id: string
    name: string
    description: string
    config: Json<BoardConfig>
    frames: Json<Frame[]>
    created_at: Milliseconds
  }
  domain_boards: {
    domain_id: string
    board_id: string
    owner_id: string
    admin_may: MemberRight
    user_may: MemberRight
    friend_may: MemberRight
    connection_may: MemberRight
    shared_at: Milliseconds
  }
  /** Who is on a board now, where several processes serve it. Rows that nobody renewed are swept after 30 s. */
  board_guests: {
    board_id: string
    /** Of the browser. */
    tab: string
    person_id: string
    may: BoardRight
    cursor: Json<{ x: number; y: number } | null>
    selection: Json<string[]>
    /** 0: it left. */
    heard_at: Milliseconds
  }
  /** Changes of boards on their way from one process to another. They are swept after 30 s. */
  board_changes: {
    id: string
    board_id: string
    /** Ascending on one board, in the order in which they were told. */
    seq: number
    tab: string
    person_id: string
    change: Json<BoardChange>
    passed_at: Milliseconds
  }
}
