import { createHash } from 'node:crypto'
import type { Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { limitToQuota, requireMediaSpace } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import type { MediaEntry } from '../media/attach-media.ts'
import { MediaInspector } from '../media/inspect-media.ts'
import { getSmallDueAt } from '../media/small-versions.ts'
import type { ZipReader } from './zip-reader.ts'

export interface FileInZip {
  file: string
  /** `null` if the type is detected from the bytes. */
  mime: string | null
  sha256: string | null
  name: string | null
  alt: string | null
  width: number | null
  height: number | null
  durationMs: number | null
}

interface MediaOwner {
  id: string
  keeperId: string
  ownerId: string
  createdAt: number
}

/** If `null`, the file expires like an unused upload. */
export type MediaTarget = MediaOwner &
  (
    | { entity: MediaEntry['entity']; entityId: string; position: number }
    | { entity: null; entityId: null; position: null; expiresAt: number }
  )

export interface UnpackContext {
  zip: ZipReader
  /** Bytes of files that have no rows yet, so that the stored totals don't include them. */
  bytesWithoutRows: number
}

class ChecksumMismatch extends Error {}

/**
 * Returns no writes if the checksum differs or the type is unknown.
 * @throws Problem 413 above the quota, 429 above the daily upload limit; resumable
 */
export async function unpackMedia(
  services: Services,
  unpackContext: UnpackContext,
  file: FileInZip,
  target: MediaTarget,
): Promise<Write[]> {
  const { zip } = unpackContext
  const { ownerId } = target
  const quota = await requireMediaSpace(
    services,
    ownerId,
    unpackContext.bytesWithoutRows + (zip.getSize(file.file) ?? 0),
  )
  const availableQuota = { ...quota, bytes: quota.bytes + unpackContext.bytesWithoutRows }
  const inspector = new MediaInspector({ label: file.mime ?? guessType(file.file), keepsUnknown: file.mime !== null })
  let written: { sha256: string; bytes: number }
  try {
    const chunks = inspector.pass(verifyChecksum(await zip.openStream(file.file), file.sha256))
    written = await services.media.write(limitToQuota(services, ownerId, availableQuota, chunks), services.now())
  } catch (error) {
    if (error instanceof ChecksumMismatch || (error instanceof Problem && error.status === 400)) return []
    throw error
  }
  const { sha256, bytes } = written
  const { mime, dimensions = file } = inspector
  unpackContext.bytesWithoutRows += bytes
  return [
    services.db
      .insertInto('media')
      .values({
        id: target.id,
        person_id: target.ownerId,
        keeper_id: target.keeperId,
        entity: target.entity,
        entity_id: target.entityId,
        position: target.position,
        sha256,
        bytes,
        mime,
        name: file.name,
        alt: file.alt,
        width: dimensions.width,
        height: dimensions.height,
        duration_ms: file.durationMs,
        created_at: target.createdAt,
        gone_at: target.entity === null ? target.expiresAt : null,
        small_due_at: getSmallDueAt(mime, services.now().getTime()),
      })
      .onConflict((conflict) => conflict.doNothing()),
  ]
}

/**
 * The file extension distinguishes audio from video in the same container, and text from other bytes without a
 * signature.
 */
function guessType(name: string): string {
  if (/\.(m4a|m4b|aac)$/i.test(name)) return 'audio/mp4'
  if (/\.weba$/i.test(name)) return 'audio/webm'
  return /\.(txt|md|csv|log)$/i.test(name) ? 'text/plain' : 'application/octet-stream'
}

/** Passes the bytes through and verifies them at the end. @throws ChecksumMismatch */
async function* verifyChecksum(chunks: AsyncIterable<Buffer>, sha256: string | null): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  if (sha256 !== null && hash.digest('hex') !== sha256) throw new ChecksumMismatch()
}
