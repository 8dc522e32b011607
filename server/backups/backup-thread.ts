import type { BackupResult } from '#server/db/backup.ts'
import { BackupRefused, type RefusalReason } from '#server/db/backup-archive.ts'
import { handleThreadJobs, lowerThreadPriority } from '#server/threads/handle-thread-jobs.ts'
import { type CreateJob, createByteCounter, createTrackedBackup, type SharedProgress } from './create-tracked-backup.ts'
import { type ArchiveContents, inspectArchive } from './inspect-archive.ts'

interface InspectJob extends SharedProgress {
  path: string
  keyFingerprint: string | null
}

export type BackupThreadJob = { create: CreateJob } | { inspect: InspectJob }
export interface BackupThreadAnswer {
  created?: BackupResult
  inspected?: ArchiveContents
  refused?: RefusalReason
}

const backgroundPriority = 10

// Runs in a separate thread, since checksums and the database check would block requests.
lowerThreadPriority(backgroundPriority)
handleThreadJobs(async (job: BackupThreadJob): Promise<BackupThreadAnswer> => {
  if ('create' in job) return { created: await createTrackedBackup(job.create) }
  const { path, keyFingerprint, progress } = job.inspect
  try {
    return { inspected: await inspectArchive(path, keyFingerprint, createByteCounter(progress)) }
  } catch (error) {
    if (error instanceof BackupRefused) return { refused: error.reason }
    throw error
  }
})
