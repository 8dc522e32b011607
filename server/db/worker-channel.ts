import { Worker } from 'node:worker_threads'
import { getThreadEnvironment } from '#server/threads/job-thread.ts'
import { DatabaseUnavailable } from './database-errors.ts'
import type { SqliteFailure } from './sqlite-failures.ts'
import { toSqliteError } from './sqlite-failures.ts'
import type { JobReply, QueuedJob } from './sqlite-write-queue.ts'

export type OpeningResult = { opened: true } | { opened: false; failure: SqliteFailure }

export interface MaintenanceFailure {
  maintenanceFailed: SqliteFailure
}

/** The part of `Worker` that a channel uses. */
export interface Thread {
  on(event: 'message', listener: (message: OpeningResult | MaintenanceFailure | unknown[]) => void): unknown
  on(event: 'error', listener: (error: unknown) => void): unknown
  on(event: 'exit', listener: () => void): unknown
  postMessage(message: unknown): void
  terminate(): Promise<unknown>
}

export function startThread(file: URL, workerData: unknown): Thread {
  return new Worker(file, { workerData, env: getThreadEnvironment() })
}

interface JobCodec<Job, Answer> {
  packJobs(jobs: QueuedJob<Job>[]): unknown[]
  onSendFailed?(): void
  unpackReplies(message: unknown[]): JobReply<Answer>[]
}

interface PendingReply<Answer> {
  resolve(answer: Answer): void
  reject(error: Error): void
}

const maxJobsPerMessage = 24

export class WorkerChannel<Job, Answer> {
  readonly opened: Promise<void>
  onMaintenanceFailed: (error: Error) => void = () => {}
  readonly #worker: Thread
  readonly #codec: JobCodec<Job, Answer>
  readonly #pendingReplies = new Slots<PendingReply<Answer>>()
  readonly #exited: Promise<Error>
  #outbox: QueuedJob<Job>[] = []
  #flushing: NodeJS.Immediate | undefined
  #exitError: Error | undefined

  constructor(thread: Thread, codec: JobCodec<Job, Answer> = createPassThroughCodec()) {
    this.#codec = codec
    this.#worker = thread
    const opening = Promise.withResolvers<void>()
    this.opened = opening.promise
    this.opened.catch(() => {})
    const exited = Promise.withResolvers<Error>()
    this.#exited = exited.promise
    this.#worker.on('message', (message) => {
      if (Array.isArray(message)) for (const reply of this.#codec.unpackReplies(message)) this.#settle(reply)
      else if ('maintenanceFailed' in message) this.onMaintenanceFailed(toSqliteError(message.maintenanceFailed))
      else if (message.opened) opening.resolve()
      else opening.reject(toSqliteError(message.failure))
    })
    this.#worker.on('error', (error) => this.#failAll(error))
    this.#worker.on('exit', () => {
      this.#failAll(undefined)
      opening.reject(this.#exitError!)
      exited.resolve(this.#exitError!)
    })
  }

  get hasExited(): boolean {
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
      this.#codec.onSendFailed?.()
      for (const { id } of jobs) this.#pendingReplies.take(id)?.reject(error as Error)
    }
  }

  #settle(reply: JobReply<Answer>): void {
    const pendingReply = this.#pendingReplies.take(reply.id)
    if ('failure' in reply) pendingReply?.reject(toSqliteError(reply.failure))
    else pendingReply?.resolve(reply.answer)
  }

  #failAll(cause: unknown): void {
    this.#exitError ??= new DatabaseUnavailable('The database thread ended', { cause })
    for (const pendingReply of this.#pendingReplies.takeAll()) pendingReply.reject(this.#exitError)
  }
}

function createPassThroughCodec<Job, Answer>(): JobCodec<Job, Answer> {
  return { packJobs: (jobs) => jobs, unpackReplies: (message) => message as JobReply<Answer>[] }
}

/** Values by reusable number. A `Map` regularly replaces its table, and old tables would keep finished requests in memory until a full collection. */
export class Slots<Value extends object> {
  readonly #values: (Value | undefined)[] = []
  readonly #free: number[] = []

  put(value: Value): number {
    const slot = this.#free.pop() ?? this.#values.length
    this.#values[slot] = value
    return slot
  }

  take(slot: number): Value | undefined {
    const value = this.#values[slot]
    if (value === undefined) return undefined
    this.#values[slot] = undefined
    this.#free.push(slot)
    return value
  }

  takeAll(): Value[] {
    const all = this.#values.filter((value) => value !== undefined)
    for (const slot of this.#values.keys()) this.take(slot)
    return all
  }
}
