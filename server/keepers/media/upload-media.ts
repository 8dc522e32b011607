import { keptInBinMs } from '#contract/keepers/entries.ts'
import type { Media } from '#contract/keepers/media.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { badField, idTaken } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import { requireRoomToWrite, withinRoom } from '#server/media/require-room.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { type MediaRow, mediaView } from './media-view.ts'
import { bytesToTell, fitsMime } from './sniff-media-type.ts'

/** Lifetime of an upload without an entry: a draft with pictures can lie over a holiday. */
export const waitsForEntryMs = keptInBinMs

interface Described {
  id?: string | undefined
  name?: string | undefined
  alt?: string | undefined
  width?: number | undefined
  height?: number | undefined
  durationMs?: number | undefined
}

/**
 * Idempotent by id.
 * @throws Problem 404; 400 for empty or mismatching bytes; 409 for an id in use; 413 above the file or storage limit;
 *   429 above the daily upload limit
 */
export async function uploadMedia(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  described: Described,
  upload: Upload,
): Promise<Media> {
  const { db, media, now, newId } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const there = described.id ? await mediaOf(services, keeper, described.id) : undefined
  if (there) {
    for await (const _ of upload.stream);
    return mediaView(there)
  }
  const at = now()
  const room = await requireRoomToWrite(services, keeper.owner_id, upload.declaredBytes ?? 0)
  const pieces = withinRoom(services, keeper.owner_id, room, checked(upload, described.name))
  const { sha256, bytes } = await media.write(pieces, at)
  const id = described.id ?? newId()
  try {
    await db
      .insertInto('media')
      .values({
        id,
        person_id: keeper.owner_id,
        keeper_id: keeper.id,
        sha256,
        mime: upload.mime,
        bytes,
        created_at: at.getTime(),
        gone_at: at.getTime() + waitsForEntryMs,
        name: described.name?.trim() || null,
        alt: described.alt?.trim() || null,
        width: described.width || null,
        height: described.height || null,
        duration_ms: described.durationMs ?? null,
      })
      .execute()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
  }
  const row = await mediaOf(services, keeper, id)
  if (!row) throw idTaken()
  return mediaView(row)
}

function mediaOf(
  { db }: Services,
  keeper: { id: string; owner_id: string },
  id: string,
): Promise<MediaRow | undefined> {
  return db
    .selectFrom('media')
    .selectAll()
    .where('id', '=', id)
    .where('keeper_id', '=', keeper.id)
    .where('person_id', '=', keeper.owner_id)
    .executeTakeFirst()
}

/** Verifies the type by the first bytes, then passes everything through. */
export async function* checked(
  { mime, stream }: Pick<Upload, 'mime' | 'stream'>,
  name?: string,
): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0)
  for await (const piece of stream) {
    if (head === null) {
      yield piece
      continue
    }
    head = Buffer.concat([head, piece])
    if (head.length < bytesToTell) continue
    yield told(mime, head, name)
    head = null
  }
  if (head !== null) yield told(mime, head, name)
}

function told(mime: string, head: Buffer, name?: string): Buffer {
  if (head.length === 0) throw badField('body', `${name?.trim() || 'This file'} is empty. Choose another file.`)
  if (!fitsMime(mime, head)) {
    const message = `This file is labeled ${mime}, but its content isn't. Save it again in the right format.`
    throw badField('body', message)
  }
  return head
}
