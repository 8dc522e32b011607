import { parentPort } from 'node:worker_threads'
import type { Asked, Told } from './asked-thread.ts'

/** Makes this worker thread one that is asked: jobs as they come, and a failure is told to who asked. */
export function answerAsked<Job, Answer>(answer: (job: Job) => Answer | Promise<Answer>): void {
  const port = parentPort
  if (!port) throw new Error('It runs as a worker thread only')
  port.on('message', async ({ id, job }: Asked<Job>) => {
    try {
      port.postMessage({ id, answer: await answer(job) } satisfies Told<Answer>)
    } catch (error) {
      port.postMessage({ id, error: String(error) } satisfies Told<Answer>)
    }
  })
}
