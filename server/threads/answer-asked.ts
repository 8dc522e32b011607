import { parentPort } from 'node:worker_threads'
import type { Asked, Told } from './asked-thread.ts'

/** Makes this worker thread handle jobs of a {@link AskedThread} and report failures to it. */
export function answerAsked<Job, Answer>(answer: (job: Job) => Answer | Promise<Answer>): void {
  const port = parentPort
  if (!port) throw new Error('This module must run in a worker thread')
  port.on('message', async ({ id, job }: Asked<Job>) => {
    try {
      port.postMessage({ id, answer: await answer(job) } satisfies Told<Answer>)
    } catch (error) {
      port.postMessage({ id, error: String(error) } satisfies Told<Answer>)
    }
  })
}
