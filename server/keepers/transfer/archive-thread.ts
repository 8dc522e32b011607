import { Problem } from '#server/http/problem.ts'
import { handleThreadJobs } from '#server/threads/handle-thread-jobs.ts'
import { type ImportOwner, type ImportPart, type ImportPlan, type ImportTarget, sliceParts } from './import-plan.ts'
import { planDayOne } from './plan-day-one.ts'
import { planKeeperArchive } from './plan-keeper-archive.ts'
import { ZipReader } from './zip-reader.ts'

export type ArchiveJob =
  | { kind: 'keeper-zip'; path: string; owner: ImportOwner }
  | { kind: 'day-one'; path: string; into: ImportTarget | undefined; importedIds: ReadonlySet<string> }
  | { kind: 'parts'; from: number; count: number }

export type ArchiveReply =
  | { kind: 'looked'; preview: ImportPlan['preview']; keeperIds: string[]; total: number }
  | { kind: 'parts'; parts: ImportPart[] }
  | { kind: 'refused'; message: string }

let plan: ImportPlan | undefined
handleThreadJobs(answer)

async function answer(job: ArchiveJob): Promise<ArchiveReply> {
  if (job.kind === 'parts') return { kind: 'parts', parts: sliceParts(plan?.parts ?? [], job.from, job.count) }
  try {
    const zip = await ZipReader.open(job.path)
    try {
      plan =
        job.kind === 'day-one'
          ? await planDayOne(zip, job.into, job.importedIds)
          : await planKeeperArchive(zip, job.owner)
    } finally {
      zip.close()
    }
    return { kind: 'looked', preview: plan.preview, keeperIds: plan.keeperIds, total: plan.parts.length }
  } catch (error) {
    if (error instanceof Problem) return { kind: 'refused', message: error.message }
    throw error
  }
}
