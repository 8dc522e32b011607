import { workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '#server/threads/handle-thread-jobs.ts'
import type { ReadLoad } from './long-reads.ts'
import { serveReads } from './serve-reads.ts'

export interface ReaderData {
  file: string
  load: ReadLoad
}

const niceness = { light: 0, heavy: 19 }

const { file, load } = workerData as ReaderData
lowerThreadPriority(niceness[load])
serveReads(file)
