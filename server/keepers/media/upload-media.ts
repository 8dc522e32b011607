import { trashRetentionMs } from '#contract/keepers/entries.ts'
import type { Media } from '#contract/keepers/media.ts'
import type { Person } from '#server/accounts/person.ts'
import { UniqueViolation } from '#server/db/database-errors.ts'
import { createIdTakenProblem, Problem } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import { limitToQuota, requireUploadSpace } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import { requireKeeperFor } from '../keeper-access.ts'
import { MediaInspector } from './inspect-media.ts'
import { createMediaNotFound, type MediaRow, requireMediaFor, toMedia } from './media-view.ts'
import { getSmallDueAt } from './small-versions.ts'

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

/** The type is detected from the bytes. Idempotent by id. @throws Problem 404; 400 for empty or unacceptable bytes;
 * 409 for an id in use; 413 above the file or storage limit; 429 above the daily upload limit */
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
  const inspector = new MediaInspector({ declaredType: upload.mime, name: details.name })
  const chunks = limitToQuota(services, keeper.owner_id, quota, inspector.inspect(upload.stream))
  const { sha256, bytes } = await media.write(chunks, uploadedAt)
  const { mime, dimensions = details } = inspector
  const id = details.id ?? newId()
  try {
    await db
      .insertInto('media')
      .values({
        id,
        person_id: keeper.owner_id,
        keeper_id: keeper.id,
        sha256,
        mime,
        bytes,
        created_at: uploadedAt.getTime(),
        gone_at: uploadedAt.getTime() + unusedUploadTtlMs,
        name: details.name?.trim() || null,
        alt: details.alt?.trim() || null,
        width: dimensions.width || null,
        height: dimensions.height || null,
        duration_ms: details.durationMs ?? null,
        small_due_at: getSmallDueAt(mime, uploadedAt.getTime(), { fromBrowser: true }),
      })
      .execute()
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error
  }
  const row = await findMedia(services, keeper, id)
  if (!row) throw createIdTakenProblem()
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

const entryNames = { voice: 'voice entry', moment: 'moment', source: 'document' }

/** Deletes the row; the sweep deletes unreferenced bytes. @throws Problem 404; 409 while an entry shows it */
export async function removeMedia(services: Services, person: Pick<Person, 'id'>, id: string): Promise<void> {
  const row = await requireMediaFor(services, person, id)
  if (row.entity === null) {
    const { numDeletedRows } = await services.db
      .deleteFrom('media')
      .where('id', '=', id)
      .where('person_id', '=', person.id)
      .where('entity', 'is', null)
      .executeTakeFirst()
    if (numDeletedRows === 1n) return
  }
  const current = await services.db.selectFrom('media').select('entity').where('id', '=', id).executeTakeFirst()
  if (!current?.entity) throw createMediaNotFound()
  throw new Problem('conflict', { message: `A ${entryNames[current.entity]} uses this file. Remove it there first.` })
}
