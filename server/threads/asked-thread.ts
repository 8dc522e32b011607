import { type ResourceLimits, Worker } from 'node:worker_threads'
import { threadEnvironment } from './thread-start.ts'

export interface Asked<Job> {
  id: number
  job: Job
}

export type Told<Answer> = { id: number; answer: Answer } | { id: number; error: string }

interface Waiting<Answer> {
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** A thread that is asked for what would hold up the requests of others. While nobody waits for it, it keeps no process alive. */
export class AskedThread<Job, Answer> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting<Answer>>()
  #lastId = 0
  #gone: Error | undefined

  /** `file` calls `answerAsked`. */
  constructor(file: URL, resourceLimits: ResourceLimits = {}) {
    this.#worker = new Worker(file, { env: threadEnvironment(), resourceLimits })
    this.#worker.unref()
    this.#worker.on('message', (told: Told<Answer>) => {
      const waiting = this.#take(told.id)
      if ('error' in told) waiting?.reject(new Error(told.error))
      else waiting?.resolve(told.answer)
    })
    this.#worker.on('error', (error) => this.#failAll(error))
    this.#worker.on('exit', () => this.#failAll(new Error('The thread ended')))
  }

  /** It broke down or was ended, and answers nothing any more. */
  get isGone(): boolean {
    return this.#gone !== undefined
  }

  ask(job: Job): Promise<Answer> {
    if (this.#gone) return Promise.reject(this.#gone)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const id = ++this.#lastId
    this.#waiting.set(id, { resolve, reject })
    // While somebody waits for it, the process must not end.
    this.#worker.ref()
    this.#worker.postMessage({ id, job } satisfies Asked<Job>)
    return promise
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #take(id: number): Waiting<Answer> | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker.unref()
    return waiting
  }

  #failAll(error: Error): void {
    this.#gone ??= error
    for (const { reject } of this.#waiting.values()) reject(this.#gone)
    this.#waiting.clear()
  }
}
