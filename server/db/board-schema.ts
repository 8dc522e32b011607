import type { Generated } from 'kysely'
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
import type { JsonDelta } from '#server/db/json-delta.ts'
import type { Json, Milliseconds } from './parameters.ts'

export interface BoardSchema {
  boards: {
    id: string
    owner_id: string
    domain_id: string | null
    name: string
    description: string
    type: BoardType
    engagement_mode: EngagementPattern
    layout: BoardLayout
    allow_layout_editing: boolean
    animation: BoardAnimation
    theme: Json<BoardTheme | null>
    entity_type: string | null
    entity_id: string | null
    frame_count: number
    created_at: Milliseconds
    updated_at: Milliseconds
    saved_by: string | null
    rev: Generated<number>
    deleted_at: Milliseconds | null
    link_hash: string | null
    link_made_at: Milliseconds | null
    link_opened_at: Milliseconds | null
  }
  board_frames: {
    board_id: string
    id: string
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
    /** A full snapshot in rows of older releases, else the delta from the newer revision `base`. */
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
    small_sha256: string | null
    small_mime: string | null
    small_bytes: number | null
    /** When the server creates the small version, unless a browser sends one; `null`: none is due. */
    small_due_at: Milliseconds | null
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
  board_guests: {
    board_id: string
    tab: string
    person_id: string
    may: BoardRight
    cursor: Json<{ x: number; y: number } | null>
    selection: Json<string[]>
    heard_at: Milliseconds
  }
  board_changes: {
    id: string
    board_id: string
    seq: number
    tab: string
    person_id: string
    change: Json<BoardChange>
    passed_at: Milliseconds
  }
}
