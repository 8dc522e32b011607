import { getMediaKind } from '#contract/keepers/media.ts'
import { smallLongSide, smallVersionTypes } from '#contract/keepers/small-version.ts'
import type { Person } from '#server/accounts/person.ts'
import { badField } from '#server/http/problem.ts'
import type { Upload } from '#server/http/upload.ts'
import { limitToQuota, requireUploadSpace } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import { MediaInspector } from './inspect-media.ts'
import { requireMediaFor } from './require-media.ts'

interface SmallVersionColumns {
  small_sha256: string
  small_mime: string
  small_bytes: number
  small_due_at: null
}

/** @throws Problem 404; 400 for something else than a small picture; 413 and 429 as for uploads */
export async function setSmallVersion(
  services: Services,
  person: Pick<Person, 'id'>,
  id: string,
  upload: Upload,
): Promise<void> {
  const { mime } = await requireMediaFor(services, person, id)
  if (getMediaKind(mime) !== 'image') throw badField('body', 'Only a picture has a small version.')
  await services.db
    .updateTable('media')
    .set(await storeSmallVersion(services, person.id, upload))
    .where('id', '=', id)
    .where('person_id', '=', person.id)
    .execute()
}

export async function storeSmallVersion(
  services: Services,
  personId: string,
  upload: Upload,
): Promise<SmallVersionColumns> {
  const quota = await requireUploadSpace(services, personId, upload.declaredBytes ?? 0)
  const choices = `a WebP or JPEG picture of at most ${smallLongSide} px`
  const inspector = new MediaInspector({ label: upload.mime, accepts: smallVersionTypes, choices })
  const chunks = limitToQuota(services, personId, quota, inspector.pass(upload.stream))
  const { sha256, bytes } = await services.media.write(chunks, services.now())
  const { width, height } = inspector.dimensions ?? { width: 0, height: 0 }
  if (width === 0 || Math.max(width, height) > smallLongSide) throw badField('body', `Choose ${choices}.`)
  return { small_sha256: sha256, small_mime: inspector.mime, small_bytes: bytes, small_due_at: null }
}
