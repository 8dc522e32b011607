import { Problem } from '#server/http/problem.ts'
import { handleThreadJobs } from '#server/threads/handle-thread-jobs.ts'
import { type ImportOwner, type ImportPart, type ImportPlan, PartQueue } from './import-plan.ts'
import { type ForeignImport, planImport } from './plan-import.ts'
import { planKeeperArchive } from './plan-keeper-archive.ts'
import { ZipReader } from './zip-reader.ts'

export type ArchiveJob =
  | { kind: 'keeper-zip'; path: string; owner: ImportOwner }
  | { kind: 'foreign'; path: string; foreignImport: ForeignImport }
  | { kind: 'parts'; from: number; count: number }
  | { kind: 'close' }

export type ArchiveReply =
  | { kind: 'opened'; preview: ImportPlan['preview']; keeperIds: string[]; total: number }
  | { kind: 'parts'; parts: ImportPart[] }
  | { kind: 'closed' }
  | { kind: 'refused'; message: string }

let zip: ZipReader | undefined
let queue: PartQueue | undefined
handleThreadJobs(handleJob)

async function handleJob(job: ArchiveJob): Promise<ArchiveReply> {
  try {
    if (job.kind === 'parts') return { kind: 'parts', parts: (await queue?.slice(job.from, job.count)) ?? [] }
    if (job.kind === 'close') {
      await close()
      return { kind: 'closed' }
    }
    // Stays open, because the parts of another app's export are read from it one by one.
    zip = await ZipReader.open(job.path)
    const { preview, keeperIds, total, parts } =
      job.kind === 'foreign' ? await planImport(zip, job.foreignImport) : await planKeeperArchive(zip, job.owner)
    queue = new PartQueue(parts())
    return { kind: 'opened', preview, keeperIds, total }
  } catch (error) {
    if (error instanceof Problem) return { kind: 'refused', message: error.message }
    throw error
  }
}

async function close(): Promise<void> {
  await queue?.end()
  zip?.close()
  queue = undefined
  zip = undefined
}
