import { type ResourceLimits, Worker } from 'node:worker_threads'

export interface ThreadRequest<Job> {
  id: number
  job: Job
}

export type ThreadResponse<Answer> = { id: number; answer: Answer } | { id: number; error: string }

interface PendingJob<Answer> {
  resolve(answer: Answer): void
  reject(error: Error): void
}

export class JobThread<Job, Answer> {
  readonly #worker: Worker
  readonly #pendingJobs = new Map<number, PendingJob<Answer>>()
  #lastId = 0
  #endError: Error | undefined
  #idleTimer: NodeJS.Timeout | undefined

  constructor(file: URL, resourceLimits: ResourceLimits = {}) {
    this.#worker = new Worker(file, { env: getThreadEnvironment(), resourceLimits })
    this.#worker.unref()
    this.#worker.on('message', (response: ThreadResponse<Answer>) => {
      const pendingJob = this.#takePending(response.id)
      if ('error' in response) pendingJob?.reject(new Error(response.error))
      else pendingJob?.resolve(response.answer)
    })
    this.#worker.on('error', (error) => this.#failAll(error))
    this.#worker.on('exit', () => this.#failAll(new Error('The thread ended')))
  }

  get hasEnded(): boolean {
    return this.#endError !== undefined
  }

  run(job: Job): Promise<Answer> {
    if (this.#endError) return Promise.reject(this.#endError)
    clearTimeout(this.#idleTimer)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const id = ++this.#lastId
    this.#pendingJobs.set(id, { resolve, reject })
    this.#worker.ref()
    this.#worker.postMessage({ id, job } satisfies ThreadRequest<Job>)
    return promise
  }

  /** Frees the memory of the thread unless it gets a job within this time. */
  endWhenIdle(idleMs: number): void {
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => void this.end(), idleMs).unref()
  }

  async end(): Promise<void> {
    clearTimeout(this.#idleTimer)
    this.#failAll(new Error('The thread ended'))
    await this.#worker.terminate()
  }

  #takePending(id: number): PendingJob<Answer> | undefined {
    const pendingJob = this.#pendingJobs.get(id)
    this.#pendingJobs.delete(id)
    if (this.#pendingJobs.size === 0) this.#worker.unref()
    return pendingJob
  }

  #failAll(error: Error): void {
    this.#endError ??= error
    for (const { reject } of this.#pendingJobs.values()) reject(this.#endError)
    this.#pendingJobs.clear()
  }
}

/** Leaves out Keeper's secrets. */
export function getThreadEnvironment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
}
