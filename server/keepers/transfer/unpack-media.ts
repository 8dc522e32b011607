import { createHash } from 'node:crypto'
import type { Write } from '#server/db/database.ts'
import { Problem } from '#server/http/problem.ts'
import { limitToQuota, requireMediaSpace } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import type { MediaEntry } from '../media/attach-media.ts'
import { MediaInspector } from '../media/inspect-media.ts'
import { getSmallDueAt } from '../media/small-versions.ts'
import { unusedUploadTtlMs } from '../media/upload-media.ts'
import type { ImportNotes } from './import-notes.ts'
import type { ImportTarget } from './import-plan.ts'
import type { ZipReader } from './zip-reader.ts'

export interface FileInZip {
  file: string
  /** If absent, the type is detected from the bytes. */
  mime?: string | null
  sha256?: string | null
  name?: string | null | undefined
  alt?: string | null | undefined
  width?: number | null | undefined
  height?: number | null | undefined
  durationMs?: number | null | undefined
}

interface MediaTarget {
  id: string
  keeper: ImportTarget
  createdAt: number
  /** If absent, the file expires like an unused upload. */
  entry?: { entity: MediaEntry['entity']; id: string; position: number }
}

export interface UnpackContext {
  zip: ZipReader
  /** Bytes of files that have no rows yet, so that the stored totals don't include them. */
  bytesWithoutRows: number
}

export interface PartContext {
  unpackContext: UnpackContext
  jobId: string
  sourceKind: string
  /** Sentences for the report. */
  sentences: string[]
  notes: ImportNotes
}

class ChecksumMismatch extends Error {}

/**
 * Returns no writes if the checksum differs, or the type is neither declared nor detected.
 * @throws Problem 413 above the quota, 429 above the daily upload limit; resumable
 */
export async function unpackMedia(
  services: Services,
  unpackContext: UnpackContext,
  file: FileInZip,
  { id, keeper, createdAt, entry }: MediaTarget,
): Promise<Write[]> {
  const { zip } = unpackContext
  const ownerId = keeper.owner_id
  const now = services.now()
  const quota = await requireMediaSpace(
    services,
    ownerId,
    unpackContext.bytesWithoutRows + (zip.getSize(file.file) ?? 0),
  )
  const currentUsage = { ...quota, bytes: quota.bytes + unpackContext.bytesWithoutRows }
  const inspector = new MediaInspector({
    declaredType: file.mime ?? guessType(file.file),
    keepsUnknown: Boolean(file.mime),
  })
  let stored: { sha256: string; bytes: number }
  try {
    const chunks = inspector.inspect(verifyChecksum(await zip.openStream(file.file), file.sha256 ?? ''))
    stored = await services.media.write(limitToQuota(services, ownerId, currentUsage, chunks), now)
  } catch (error) {
    if (error instanceof ChecksumMismatch || (error instanceof Problem && error.status === 400)) return []
    throw error
  }
  const { sha256, bytes } = stored
  const { mime, dimensions = file } = inspector
  unpackContext.bytesWithoutRows += bytes
  return [
    services.db
      .insertInto('media')
      .values({
        id,
        person_id: ownerId,
        keeper_id: keeper.id,
        ...(entry
          ? { entity: entry.entity, entity_id: entry.id, position: entry.position }
          : { gone_at: now.getTime() + unusedUploadTtlMs }),
        sha256,
        bytes,
        mime,
        name: file.name,
        alt: file.alt,
        width: dimensions.width,
        height: dimensions.height,
        duration_ms: file.durationMs,
        created_at: createdAt,
        small_due_at: getSmallDueAt(mime, now.getTime()),
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
async function* verifyChecksum(chunks: AsyncIterable<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
  if (sha256 !== '' && hash.digest('hex') !== sha256) throw new ChecksumMismatch()
}
