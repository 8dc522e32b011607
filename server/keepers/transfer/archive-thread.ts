import { Problem } from '#server/http/problem.ts'
import { answerAsked } from '#server/threads/answer-asked.ts'
import { type ImportFor, type ImportPart, type ImportPlan, type Into, partsUpTo } from './import-plan.ts'
import { planDayOne } from './plan-day-one.ts'
import { planKeeperArchive } from './plan-keeper-archive.ts'
import { ZipReader } from './zip-reader.ts'

/** Worker protocol: open an archive, then request its parts in batches. */
export type ArchiveJob =
  | { kind: 'keeper-zip'; path: string; wanted: ImportFor }
  | { kind: 'day-one'; path: string; into: Into | undefined; there: ReadonlySet<string> }
  | { kind: 'parts'; from: number; count: number }

export type ArchiveReply =
  | { kind: 'looked'; preview: ImportPlan['preview']; keeperIds: string[]; total: number }
  | { kind: 'parts'; parts: ImportPart[] }
  | { kind: 'refused'; message: string }

let plan: ImportPlan | undefined
answerAsked(answer)

async function answer(job: ArchiveJob): Promise<ArchiveReply> {
  if (job.kind === 'parts') return { kind: 'parts', parts: partsUpTo(plan?.parts ?? [], job.from, job.count) }
  try {
    const zip = await ZipReader.open(job.path)
    try {
      plan =
        job.kind === 'day-one' ? await planDayOne(zip, job.into, job.there) : await planKeeperArchive(zip, job.wanted)
    } finally {
      zip.close()
    }
    return { kind: 'looked', preview: plan.preview, keeperIds: plan.keeperIds, total: plan.parts.length }
  } catch (error) {
    if (error instanceof Problem) return { kind: 'refused', message: error.message }
    throw error
  }
}
