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

/**
 * Writes the bytes of a picture without what a camera wrote into it: whoever may open the board gets them as they lie
 * there.
 * @param pieces its bytes, `checked`
 */
export async function keepPictureBytes(
  services: Services,
  mime: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<KeptMedia> {
  return keepWithoutMetadata(services, mime, await services.media.write(pieces, services.now()))
}

/** The same for bytes that lie there. */
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

/**
 * Writes the row of a picture whose bytes are kept, if the board has room for it.
 * @throws UniqueViolation for an id that is taken; Problem 413 when the board is full, 404 when it is gone
 */
export async function keepPictureRow(services: Services, row: PictureRow): Promise<void> {
  const { db } = services
  const held = sql<number>`(select coalesce(sum(bytes), 0) from board_pictures where board_id = ${row.board_id})`
  try {
    await db.batch([
      // Held, so that two who upload at once do not both find the same room.
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
      message: `A board holds ${boardPictureQuota / 1024 / 1024} MB of pictures, and this one is full. Use another board, or smaller pictures.`,
      cause: error,
    })
  }
}
