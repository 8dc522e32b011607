import { trashRetentionMs } from '#contract/keepers/entries.ts'
import type { Media } from '#contract/keepers/media.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { badField, idTaken } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import { limitToQuota, requireUploadSpace } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { type MediaRow, toMedia } from './media-view.ts'
import { matchesMimeType, sniffedByteCount } from './sniff-media-type.ts'

/** Lifetime of an upload without an entry: a draft with pictures can stay unfinished over a holiday. */
export const unusedUploadTtlMs = trashRetentionMs

interface MediaDetails {
  id?: string | undefined
  name?: string | undefined
  alt?: string | undefined
  width?: number | undefined
  height?: number | undefined
  durationMs?: number | undefined
}

/** Idempotent by id. @throws Problem 404; 400 for empty or mismatching bytes; 409 for an id in use; 413 above the file
 * or storage limit; 429 above the daily upload limit */
export async function uploadMedia(
  services: Services,
  person: Pick<Person, 'id'>,
  keeperId: string,
  details: MediaDetails,
  upload: Upload,
): Promise<Media> {
  const { db, media, now, newId } = services
  const keeper = await requireKeeperFor(services, person, keeperId)
  const existing = details.id ? await findMedia(services, keeper, details.id) : undefined
  if (existing) {
    for await (const _ of upload.stream);
    return toMedia(existing)
  }
  const uploadedAt = now()
  const quota = await requireUploadSpace(services, keeper.owner_id, upload.declaredBytes ?? 0)
  const chunks = limitToQuota(services, keeper.owner_id, quota, withTypeCheck(upload, details.name))
  const { sha256, bytes } = await media.write(chunks, uploadedAt)
  const id = details.id ?? newId()
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
        created_at: uploadedAt.getTime(),
        gone_at: uploadedAt.getTime() + unusedUploadTtlMs,
        name: details.name?.trim() || null,
        alt: details.alt?.trim() || null,
        width: details.width || null,
        height: details.height || null,
        duration_ms: details.durationMs ?? null,
      })
      .execute()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
  }
  const row = await findMedia(services, keeper, id)
  if (!row) throw idTaken()
  return toMedia(row)
}

function findMedia(
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

export async function* withTypeCheck(
  { mime, stream }: Pick<Upload, 'mime' | 'stream'>,
  name?: string,
): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0)
  for await (const chunk of stream) {
    if (head === null) {
      yield chunk
      continue
    }
    head = Buffer.concat([head, chunk])
    if (head.length < sniffedByteCount) continue
    yield validateHead(mime, head, name)
    head = null
  }
  if (head !== null) yield validateHead(mime, head, name)
}

function validateHead(mime: string, head: Buffer, name?: string): Buffer {
  if (head.length === 0) throw badField('body', `${name?.trim() || 'This file'} is empty. Choose another file.`)
  if (!matchesMimeType(mime, head)) {
    const message = `This file is labeled ${mime}, but its content has a different type. Save the file again in the right format.`
    throw badField('body', message)
  }
  return head
}
