import { type BackupKind, type BackupResult, createBackup } from '#server/db/backup.ts'
import { createChecksumCache } from '#server/db/checksum-cache.ts'
import { createMediaLinker } from '#server/db/media-for-backup.ts'
import type { PostgresDriver } from '#server/db/postgres-driver.ts'

export interface SharedProgress {
  /** Bytes done, in its first 64 bits, for another thread to read. */
  progress: SharedArrayBuffer
}

export interface CreateJob extends SharedProgress {
  dataDir: string
  kind: BackupKind
  now: Date
  keyFingerprint: string | null
  minFreeBytes: number
}

export const createProgress = () => new SharedArrayBuffer(8)
export const readProgress = (progress: SharedArrayBuffer) => Number(Atomics.load(new BigInt64Array(progress), 0))
export const createByteCounter = (progress: SharedArrayBuffer) => (bytes: number) =>
  void Atomics.add(new BigInt64Array(progress), 0, BigInt(bytes))

export async function createTrackedBackup(job: CreateJob, postgres?: PostgresDriver): Promise<BackupResult> {
  const { dataDir, kind, now, keyFingerprint, minFreeBytes, progress } = job
  const addBytes = createByteCounter(progress)
  const linkMedia = createMediaLinker(minFreeBytes, { findChecksum: await createChecksumCache(dataDir, now) })
  return createBackup({ dataDir }, now, keyFingerprint, {
    kind,
    postgres,
    onDatabaseSaved: addBytes,
    mediaCopier: async (from, to) => {
      const checksum = await linkMedia(from, to)
      addBytes(checksum.bytes)
      return checksum
    },
  })
}
