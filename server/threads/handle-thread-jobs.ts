import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { basename } from 'node:path'
import { parentPort } from 'node:worker_threads'
import type { ThreadRequest, ThreadResponse } from './job-thread.ts'

export function handleThreadJobs<Job, Answer>(handle: (job: Job) => Answer | Promise<Answer>): void {
  const port = parentPort
  if (!port) throw new Error('This module must run in a worker thread')
  port.on('message', async ({ id, job }: ThreadRequest<Job>) => {
    try {
      port.postMessage({ id, answer: await handle(job) } satisfies ThreadResponse<Answer>)
    } catch (error) {
      port.postMessage({ id, error: String(error) } satisfies ThreadResponse<Answer>)
    }
  })
}

/** `niceness` is from 1 to 19, the lowest priority. Does nothing on systems other than Linux, or without permission. */
export function lowerThreadPriority(niceness: number): void {
  if (process.platform !== 'linux') return
  try {
    // `/proc/thread-self` links to `<pid>/task/<tid>`.
    const threadId = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(threadId, niceness)
  } catch {
    return
  }
}
