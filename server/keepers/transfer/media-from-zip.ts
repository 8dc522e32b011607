import { createHash } from 'node:crypto'
import type { Write } from '#server/db/database.ts'
import { requireRoom, withinRoom } from '#server/media/require-room.ts'
import type { Services } from '#server/services.ts'
import type { ZipReader } from './zip-reader.ts'

export interface FileInZip {
  /** Its name in the zip. */
  file: string
  mime: string
  /** Of the bytes, where it is known beforehand; others are not taken. */
  sha256: string | null
  name: string | null
  alt: string | null
  width: number | null
  height: number | null
  durationMs: number | null
}

interface Kept {
  id: string
  keeperId: string
  ownerId: string
  createdAt: number
}

/** By an entry, or by none yet: then it goes with time, as an upload that nothing came to show. */
export type Shown = Kept &
  (
    | { entity: 'moment' | 'voice'; entityId: string; position: number }
    | { entity: null; entityId: null; position: null; goneAt: number }
  )

/** An import on its way. */
export interface Unpacking {
  zip: ZipReader
  /** Of files whose rows are not written yet, so that no sum of rows knows them. */
  bytesWithoutRows: number
}

/** The bytes are not those the archive says; nothing is kept of them. */
class OtherBytes extends Error {}

/**
 * Unpacks a file into where media lie and gives the write that says whose it is and what shows it; none when the bytes
 * are others.
 * @throws Problem 413 when its owner has no room for it, 429 past what they may send in a day; the import can go on once
 *   there is some
 */
export async function unpackMedia(
  services: Services,
  unpacking: Unpacking,
  given: FileInZip,
  shown: Shown,
): Promise<Write[]> {
  const { zip } = unpacking
  const { ownerId } = shown
  const room = await requireRoom(services, ownerId, unpacking.bytesWithoutRows + (zip.sizeOf(given.file) ?? 0))
  const left = { ...room, bytes: room.bytes + unpacking.bytesWithoutRows }
  let kept: { sha256: string; bytes: number }
  try {
    const pieces = held(await zip.stream(given.file), given.sha256)
    kept = await services.media.write(withinRoom(services, ownerId, left, pieces), services.now())
  } catch (error) {
    if (error instanceof OtherBytes) return []
    throw error
  }
  const { sha256, bytes } = kept
  unpacking.bytesWithoutRows += bytes
  return [
    services.db
      .insertInto('media')
      .values({
        id: shown.id,
        person_id: shown.ownerId,
        keeper_id: shown.keeperId,
        entity: shown.entity,
        entity_id: shown.entityId,
        position: shown.position,
        sha256,
        bytes,
        mime: given.mime,
        name: given.name,
        alt: given.alt,
        width: given.width,
        height: given.height,
        duration_ms: given.durationMs,
        created_at: shown.createdAt,
        gone_at: shown.entity === null ? shown.goneAt : null,
      })
      .onConflict((conflict) => conflict.doNothing()),
  ]
}

/** The same bytes; at their end they have to be what they are said to be. @throws OtherBytes */
async function* held(pieces: AsyncIterable<Buffer>, sha256: string | null): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
  if (sha256 !== null && hash.digest('hex') !== sha256) throw new OtherBytes()
}
