import { type BackupResult, createBackup } from '#server/db/backup.ts'
import { knownSums } from '#server/db/known-sums.ts'
import { linkedElseCopied } from '#server/db/media-for-backup.ts'
import { answerAsked } from '#server/threads/answer-asked.ts'
import { lowerThreadPriority } from '#server/threads/lower-thread-priority.ts'

export interface BackupJob {
  dataDir: string
  now: Date
  keyFingerprint: string | null
  reserve: number
}

// In a thread of its own, since checksums and the database check would block requests.
lowerThreadPriority(10)
answerAsked(async ({ dataDir, now, keyFingerprint, reserve }: BackupJob): Promise<BackupResult> => {
  const bringMedia = linkedElseCopied(reserve, { knownSum: await knownSums(dataDir, now) })
  return createBackup({ dataDir }, now, keyFingerprint, { kind: 'nightly', bringMedia })
})
