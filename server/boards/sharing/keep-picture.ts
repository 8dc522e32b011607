import { sql } from 'kysely'
import { boardPictureQuota } from '#contract/boards/board-sharing.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import { Problem } from '#server/http/problem.ts'
import { withoutMetadata } from '#server/keepers/shared/without-metadata.ts'
import type { KeptMedia } from '#server/media/media-store.ts'
import { readPieces, sizeOfPieces } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import { boardNotFound } from '../board-access.ts'

/** Drops camera metadata, since everyone who opens the board downloads these bytes. `pieces` must be `checked`. */
export async function keepPictureBytes(
  services: Services,
  mime: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<KeptMedia> {
  return keepWithoutMetadata(services, mime, await services.media.write(pieces, services.now()))
}

export async function keepWithoutMetadata({ media, now }: Services, mime: string, kept: KeptMedia): Promise<KeptMedia> {
  const without = await withoutMetadata(media, kept.sha256, mime)
  if (!without || sizeOfPieces(without) === kept.bytes) return kept
  return media.write(readPieces(media, kept.sha256, without), now())
}

export interface PictureRow extends KeptMedia {
  id: string
  board_id: string
  person_id: string
  mime: string
  name: string | null
  width: number | null
  height: number | null
  created_at: number
}

/** @throws UniqueViolation for a taken id; Problem 413 for a full board, 404 for a deleted one */
export async function keepPictureRow(services: Services, row: PictureRow): Promise<void> {
  const { db } = services
  const held = sql<number>`(select coalesce(sum(bytes), 0) from board_pictures where board_id = ${row.board_id})`
  try {
    await db.batch([
      // Locks the board, so that concurrent uploads don't share the same free space.
      requireChanges(
        db
          .updateTable('boards')
          .set(({ ref }) => ({ rev: ref('rev') }))
          .where('id', '=', row.board_id)
          .where('deleted_at', 'is', null),
      ),
      db.insertInto('board_pictures').values(row),
      requireChanges(
        db
          .updateTable('board_pictures')
          .set({ bytes: row.bytes })
          .where('id', '=', row.id)
          .where(held, '<=', boardPictureQuota),
      ),
    ])
  } catch (error) {
    if (!(error instanceof UnexpectedChanges)) throw error
    if (error.index === 0) throw boardNotFound()
    throw new Problem('too-large', {
      message: `This board has reached its limit of ${boardPictureQuota / 1024 / 1024} MB of pictures. Use another board or smaller pictures.`,
      cause: error,
    })
  }
}
