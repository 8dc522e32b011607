import { Problem } from '#server/http/problem.ts'
import { handleThreadJobs } from '#server/threads/handle-thread-jobs.ts'
import { type ImportOwner, type ImportPart, type ImportPlan, PartQueue } from './import-plan.ts'
import { type ForeignImport, planImport } from './plan-import.ts'
import { planKeeperArchive } from './plan-keeper-archive.ts'
import { ZipReader } from './zip-reader.ts'

export type ArchiveJob =
  | { kind: 'keeper-zip'; path: string; owner: ImportOwner }
  | { kind: 'foreign'; path: string; job: ForeignImport }
  | { kind: 'parts'; from: number; count: number }

export type ArchiveReply =
  | { kind: 'opened'; preview: ImportPlan['preview']; keeperIds: string[]; total: number }
  | { kind: 'parts'; parts: ImportPart[] }
  | { kind: 'refused'; message: string }

let queue: PartQueue | undefined
handleThreadJobs(handleJob)

async function handleJob(job: ArchiveJob): Promise<ArchiveReply> {
  try {
    if (job.kind === 'parts') return { kind: 'parts', parts: (await queue?.slice(job.from, job.count)) ?? [] }
    // Open until the thread ends: the parts of another app's export are read from it one by one.
    const zip = await ZipReader.open(job.path)
    const currentPlan =
      job.kind === 'foreign' ? await planImport(zip, job.job) : await planKeeperArchive(zip, job.owner)
    queue = new PartQueue(currentPlan.parts())
    return { kind: 'opened', preview: currentPlan.preview, keeperIds: currentPlan.keeperIds, total: currentPlan.total }
  } catch (error) {
    if (error instanceof Problem) return { kind: 'refused', message: error.message }
    throw error
  }
}
