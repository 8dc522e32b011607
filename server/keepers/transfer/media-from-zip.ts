import { createHash } from 'node:crypto'
import type { Write } from '#server/db/database.ts'
import { requireRoom, withinRoom } from '#server/media/require-room.ts'
import type { Services } from '#server/services.ts'
import type { ZipReader } from './zip-reader.ts'

export interface FileInZip {
  file: string
  mime: string
  /** Expected hash, if known; other bytes are refused. */
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

/** Without an entity, it expires like an unused upload. */
export type Shown = Kept &
  (
    | { entity: 'moment' | 'voice'; entityId: string; position: number }
    | { entity: null; entityId: null; position: null; goneAt: number }
  )

export interface Unpacking {
  zip: ZipReader
  /** Bytes of files without rows yet, which the stored totals do not include. */
  bytesWithoutRows: number
}

class OtherBytes extends Error {}

/**
 * Stores a file and returns the write of its row, or none when its hash differs.
 * @throws Problem 413 above the quota, 429 above the daily upload limit; the import can resume later
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

/** Passes the bytes through and verifies them at the end. @throws ChecksumMismatch */
async function* held(pieces: AsyncIterable<Buffer>, sha256: string | null): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
  if (sha256 !== null && hash.digest('hex') !== sha256) throw new OtherBytes()
}
