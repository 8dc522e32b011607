import { createHash } from 'node:crypto'
import type { Write } from '#server/db/database.ts'
import { limitToQuota, requireMediaSpace } from '#server/media/media-quota.ts'
import type { Services } from '#server/services.ts'
import { detectMediaType } from '../media/detect-media-type.ts'
import { sniffedByteCount } from '../media/sniff-media-type.ts'
import type { ZipReader } from './zip-reader.ts'

export interface FileInZip {
  file: string
  /** `null` when its bytes decide. */
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

/** Without an entity, it expires like an unused upload. */
export type MediaTarget = MediaOwner &
  (
    | { entity: 'moment' | 'voice'; entityId: string; position: number }
    | { entity: null; entityId: null; position: null; expiresAt: number }
  )

export interface UnpackContext {
  zip: ZipReader
  /** Bytes of files without rows yet, which the stored totals do not include. */
  bytesWithoutRows: number
}

class ChecksumMismatch extends Error {}
class UnknownMediaType extends Error {}

/** No write when the hash differs or the bytes are of no known kind. @throws Problem 413 above the quota, 429 above the daily upload limit; resumable */
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
  let written: { sha256: string; bytes: number }
  let { mime } = file
  try {
    const { head, chunks } = await readHead(verifyChecksum(await zip.openStream(file.file), file.sha256))
    mime ??= detectMediaType(head, file.name ?? file.file) ?? null
    if (mime === null) {
      await chunks.return(undefined)
      throw new UnknownMediaType()
    }
    written = await services.media.write(limitToQuota(services, ownerId, availableQuota, chunks), services.now())
  } catch (error) {
    if (error instanceof ChecksumMismatch || error instanceof UnknownMediaType) return []
    throw error
  }
  const { sha256, bytes } = written
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
        width: file.width,
        height: file.height,
        duration_ms: file.durationMs,
        created_at: target.createdAt,
        gone_at: target.entity === null ? target.expiresAt : null,
      })
      .onConflict((conflict) => conflict.doNothing()),
  ]
}

/** The first bytes, and all chunks from the start. */
async function readHead(source: AsyncGenerator<Buffer>): Promise<{ head: Buffer; chunks: AsyncGenerator<Buffer> }> {
  const first: Buffer[] = []
  for (let length = 0; length < sniffedByteCount; ) {
    const { value, done } = await source.next()
    if (done) break
    first.push(value)
    length += value.length
  }
  async function* replay() {
    yield* first
    yield* source
  }
  return { head: Buffer.concat(first), chunks: replay() }
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
