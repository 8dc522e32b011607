import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import type { Frame } from '#contract/boards/boards.ts'
import { json, type Write } from '#server/db/database.ts'
import type { Schema } from '#server/db/schema.ts'
import type { Services } from '#server/services.ts'

export type FrameRow = Selectable<Schema['board_frames']>
export type FrameFields = Omit<FrameRow, 'board_id' | 'position'>
export type PlainFrame = Pick<FrameRow, 'id' | 'engagement_mode' | 'theme' | 'entity_type' | 'entity_id' | 'data'>

/** Frames in reading order. Read them after the board, so that a save refuses frames newer than its revision. */
export function framesOf({ db }: Pick<Services, 'db'>, boardId: string): Promise<FrameRow[]> {
  return db.selectFrom('board_frames').selectAll().where('board_id', '=', boardId).orderBy('position').execute()
}

/** A frame has one config, with the frame's own id. */
export function frameView(row: FrameFields): Frame {
  const createdAt = new Date(row.created_at).toISOString()
  const updatedAt = new Date(row.updated_at).toISOString()
  const { name, description, frameType } = row.data
  return {
    id: row.id,
    entityType: row.entity_type,
    entityId: row.entity_id,
    configId: row.id,
    currentContentId: null,
    createdAt,
    updatedAt,
    data: row.data,
    FrameConfig: {
      id: row.id,
      name,
      description,
      theme: row.theme,
      createdAt,
      updatedAt,
      frameType,
      engagementMode: row.engagement_mode,
    },
  }
}

export function plainFrameOf(frame: Frame): PlainFrame {
  return {
    id: frame.id,
    engagement_mode: frame.FrameConfig.engagementMode,
    theme: frame.FrameConfig.theme,
    entity_type: frame.entityType,
    entity_id: frame.entityId,
    data: frame.data,
  }
}

/** Rows for these frames in this order; an unchanged frame keeps its dates. */
export function rowsOf(
  boardId: string,
  frames: readonly PlainFrame[],
  before: readonly FrameRow[],
  now: number,
): FrameRow[] {
  const known = new Map(before.map((row) => [row.id, row]))
  return frames.map(({ id, engagement_mode, theme, entity_type, entity_id, data }, position) => {
    const was = known.get(id)
    const row = { board_id: boardId, id, position, engagement_mode, theme, entity_type, entity_id, data }
    if (!was) return { ...row, created_at: now, updated_at: now }
    const { created_at, updated_at } = was
    const isSame = isDeepStrictEqual(comparable(row), comparable(was))
    return { ...row, created_at, updated_at: isSame ? updated_at : now }
  })
}

/** Independent of key order and parser. */
function comparable({ engagement_mode, theme, entity_type, entity_id, data }: Omit<PlainFrame, 'id'>): unknown {
  return JSON.parse(JSON.stringify([engagement_mode, theme, entity_type, entity_id, data]))
}

/** Rows per statement, each with a dozen parameters. */
const atOnce = 200

/** Writes that turn the frames `before` into `after`; unchanged rows are skipped. */
export function frameWrites({ db }: Services, before: readonly FrameRow[], after: readonly FrameRow[]): Write[] {
  const known = new Map(before.map((row) => [row.id, row]))
  const changed = after.filter((row) => {
    const was = known.get(row.id)
    return !was || was.position !== row.position || was.updated_at !== row.updated_at
  })
  const stays = new Set(after.map(({ id }) => id))
  const gone = before.filter(({ id }) => !stays.has(id))
  return [
    ...inPieces(gone).map((rows) =>
      db
        .deleteFrom('board_frames')
        .where('board_id', '=', rows[0]?.board_id ?? '')
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        ),
    ),
    ...inPieces(changed).map((rows) =>
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

function inPieces<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / atOnce) }, (_, piece) =>
    rows.slice(piece * atOnce, (piece + 1) * atOnce),
  )
}
