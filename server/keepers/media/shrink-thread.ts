import { handleThreadJobs } from '#server/threads/handle-thread-jobs.ts'
import { shrinkPicture } from './shrink-picture.ts'

export interface ShrinkJob {
  bytes: Uint8Array
  mime: string
}

handleThreadJobs(({ bytes, mime }: ShrinkJob) => shrinkPicture(Buffer.from(bytes), mime))
