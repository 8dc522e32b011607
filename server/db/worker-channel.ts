import { Worker } from 'node:worker_threads'
import { getThreadEnvironment } from '#server/threads/thread-start.ts'
import { DatabaseUnavailable } from './database-errors.ts'
import { Slots } from './slots.ts'
import type { SqliteFailure } from './sqlite-failures.ts'
import { sqliteError } from './sqlite-failures.ts'
import type { Numbered, Reply } from './sqlite-write-queue.ts'

export type Opening = { opened: true } | { opened: false; failure: SqliteFailure }

export interface UpkeepFailed {
  upkeepFailed: SqliteFailure
}

export interface Wire<Job, Answer> {
  packJobs(jobs: Numbered<Job>[]): unknown[]
  didNotLeave?(): void
  unpackReplies(message: unknown[]): Reply<Answer>[]
}

interface Waiting<Answer> {
  resolve(answer: Answer): void
  reject(error: Error): void
}

const maxJobsPerMessage = 24

export class WorkerChannel<Job, Answer> {
  readonly opened: Promise<void>
  onUpkeepFailed: (error: Error) => void = () => {}
  readonly #worker: Worker
  readonly #codec: Wire<Job, Answer>
  readonly #pendingReplies = new Slots<Waiting<Answer>>()
  readonly #exited: Promise<Error>
  #outbox: Numbered<Job>[] = []
  #flushing: NodeJS.Immediate | undefined
  #exitError: Error | undefined

  constructor(file: URL, workerData: unknown, wire: Wire<Job, Answer> = createPassThroughWire()) {
    this.#codec = wire
    this.#worker = new Worker(file, { workerData, env: getThreadEnvironment() })
    const opening = Promise.withResolvers<void>()
    this.opened = opening.promise
    this.opened.catch(() => {})
    const exited = Promise.withResolvers<Error>()
    this.#exited = exited.promise
    this.#worker.on('message', (message: Opening | UpkeepFailed | unknown[]) => {
      if (Array.isArray(message)) for (const reply of this.#codec.unpackReplies(message)) this.#settle(reply)
      else if ('upkeepFailed' in message) this.onUpkeepFailed(sqliteError(message.upkeepFailed))
      else if (message.opened) opening.resolve()
      else opening.reject(sqliteError(message.failure))
    })
    this.#worker.on('error', (error) => this.#failAll(error))
    this.#worker.on('exit', () => {
      this.#failAll(undefined)
      opening.reject(this.#exitError!)
      exited.resolve(this.#exitError!)
    })
  }

  get isGone(): boolean {
    return this.#exitError !== undefined
  }

  send(job: Job): Promise<Answer> {
    if (this.#exitError) return Promise.reject(this.#exitError)
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const id = this.#pendingReplies.put({ resolve, reject })
    const size = this.#outbox.push({ id, job })
    if (size === 1) this.#flushing = setImmediate(() => this.#flush())
    else if (size === maxJobsPerMessage) this.#flush()
    return promise
  }

  exited(): Promise<Error> {
    return this.#exited
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate()
  }

  #flush(): void {
    clearImmediate(this.#flushing)
    const jobs = this.#outbox
    this.#outbox = []
    try {
      this.#worker.postMessage(this.#codec.packJobs(jobs))
    } catch (error) {
      this.#codec.didNotLeave?.()
      for (const { id } of jobs) this.#pendingReplies.take(id)?.reject(error as Error)
    }
  }

  #settle(reply: Reply<Answer>): void {
    const waiting = this.#pendingReplies.take(reply.id)
    if ('failure' in reply) waiting?.reject(sqliteError(reply.failure))
    else waiting?.resolve(reply.answer)
  }

  #failAll(cause: unknown): void {
    this.#exitError ??= new DatabaseUnavailable('The database thread ended', { cause })
    for (const waiting of this.#pendingReplies.takeAll()) waiting.reject(this.#exitError)
  }
}

function createPassThroughWire<Job, Answer>(): Wire<Job, Answer> {
  return { packJobs: (jobs) => jobs, unpackReplies: (message) => message as Reply<Answer>[] }
}
