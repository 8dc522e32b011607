import { mostMediaBytes } from '#contract/keepers/media.ts'
import type { Write } from '#server/db/database.ts'
import { requireRoom } from '#server/media/require-room.ts'
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

export interface Shown {
  id: string
  keeperId: string
  ownerId: string
  entity: 'moment' | 'voice'
  entityId: string
  position: number
  createdAt: number
}

/** Whether the zip has a file and it may be kept. */
export function isInZip(zip: ZipReader, { file }: Pick<FileInZip, 'file'>): boolean {
  const size = zip.sizeOf(file)
  return size !== undefined && size > 0 && size <= mostMediaBytes
}

/**
 * Unpacks a file into where media lie and gives the write that has an entry show it; none when the bytes are others.
 * @throws Problem 413 when its owner has no room for it; the import can go on once there is some
 */
export async function mediaFromZip(
  services: Services,
  zip: ZipReader,
  given: FileInZip,
  shown: Shown,
): Promise<Write[]> {
  await requireRoom(services, shown.ownerId, zip.sizeOf(given.file) ?? 0)
  const { sha256, bytes } = await services.media.write(await zip.stream(given.file), services.now())
  // The bytes stay without a row, and the sweep takes them.
  if (given.sha256 !== null && sha256 !== given.sha256) return []
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
      })
      .onConflict((conflict) => conflict.doNothing()),
  ]
}
