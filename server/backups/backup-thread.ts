import { type BackupResult, createBackup } from '#server/db/backup.ts'
import { createChecksumCache } from '#server/db/checksum-cache.ts'
import { createMediaLinker } from '#server/db/media-for-backup.ts'
import { handleThreadJobs, lowerThreadPriority } from '#server/threads/handle-thread-jobs.ts'

export interface BackupJob {
  dataDir: string
  now: Date
  keyFingerprint: string | null
  minFreeBytes: number
}

// In a thread of its own, since checksums and the database check would block requests.
lowerThreadPriority(10)
handleThreadJobs(async ({ dataDir, now, keyFingerprint, minFreeBytes }: BackupJob): Promise<BackupResult> => {
  const mediaCopier = createMediaLinker(minFreeBytes, { findChecksum: await createChecksumCache(dataDir, now) })
  return createBackup({ dataDir }, now, keyFingerprint, { kind: 'nightly', mediaCopier })
})
