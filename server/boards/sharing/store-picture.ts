import { type Insertable, sql } from 'kysely'
import { boardPictureQuota } from '#contract/boards/board-sharing.ts'
import { requireChanges } from '#server/db/database.ts'
import { UnexpectedChanges } from '#server/db/database-errors.ts'
import type { Schema } from '#server/db/schema.ts'
import { Problem } from '#server/http/problem.ts'
import { removeMetadata } from '#server/keepers/shared/without-metadata.ts'
import type { StoredMedia } from '#server/media/media-store.ts'
import { readSegments, sumSegments } from '#server/media/send-media.ts'
import type { Services } from '#server/services.ts'
import { boardNotFound } from '../board-access.ts'

/** Drops camera metadata, since everyone who opens the board downloads these bytes. `chunks` must already be checked. */
export async function writePictureBytes(
  services: Services,
  mime: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StoredMedia> {
  return stripStoredMetadata(services, mime, await services.media.write(chunks, services.now()))
}

export async function stripStoredMetadata(
  { media, now }: Services,
  mime: string,
  storedMedia: StoredMedia,
): Promise<StoredMedia> {
  const ranges = await removeMetadata(media, storedMedia.sha256, mime)
  if (!ranges || sumSegments(ranges) === storedMedia.bytes) return storedMedia
  return media.write(readSegments(media, storedMedia.sha256, ranges), now())
}

export type PictureRow = Insertable<Schema['board_pictures']>

/** @throws UniqueViolation for a taken id; Problem 413 for a full board, 404 for a deleted one */
export async function insertPictureRow(services: Services, row: PictureRow): Promise<void> {
  const { db } = services
  const usedBytes = sql<number>`(select coalesce(sum(bytes), 0) from board_pictures where board_id = ${row.board_id})`
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
          .where(usedBytes, '<=', boardPictureQuota),
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
