import { argon2Sync } from 'node:crypto'
import { handleThreadJobs, lowerThreadPriority } from '#server/threads/handle-thread-jobs.ts'

export interface HashJob {
  message: Uint8Array
  nonce: Uint8Array
  parameters: { parallelism: number; tagLength: number; memory: number; passes: number }
}

const lowestPriority = 19

// A flood of wrong passwords only gets idle time.
lowerThreadPriority(lowestPriority)
handleThreadJobs(({ message, nonce, parameters }: HashJob): Uint8Array => {
  const hash = argon2Sync('argon2id', { message, nonce, ...parameters })
  message.fill(0)
  return hash
})
