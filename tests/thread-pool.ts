import { EventEmitter } from 'node:events'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { ReaderData } from '#server/db/sqlite-reader.ts'
import type { Thread } from '#server/db/worker-channel.ts'
import { getThreadEnvironment } from '#server/threads/job-thread.ts'

interface Pool {
  file: URL
  idle: Worker[]
}

const readers: Pool = { file: new URL('./pooled-reader.ts', import.meta.url), idle: [] }
const writers: Pool = { file: new URL('./pooled-writer.ts', import.meta.url), idle: [] }

/** Threads that served other databases before: starting them takes most of a test's time. */
export const pooledThreads = {
  startReader: ({ file }: ReaderData): Thread => new PooledThread(readers, file),
  startWriter: (file: string): Thread => new PooledThread(writers, file),
}

class PooledThread extends EventEmitter implements Thread {
  readonly #port: MessagePort
  readonly #exited: Promise<void>

  constructor(pool: Pool, file: string) {
    super()
    const worker = pool.idle.pop() ?? new Worker(pool.file, { env: getThreadEnvironment() })
    // An idle thread doesn't keep the process alive.
    worker.ref()
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    port1.on('message', (message) => this.emit('message', message))
    const forwardError = (error: unknown) => this.emit('error', error)
    // Replies can arrive after the message that the database is closed.
    const channel = Promise.withResolvers<void>()
    const database = Promise.withResolvers<void>()
    port1.once('close', channel.resolve)
    worker.once('error', forwardError).once('message', database.resolve).once('exit', database.resolve)
    this.#exited = Promise.all([channel.promise, database.promise]).then(() => {
      worker.off('error', forwardError).off('message', database.resolve).off('exit', database.resolve).unref()
      if (worker.threadId !== -1) pool.idle.push(worker)
      this.emit('exit')
    })
    worker.postMessage({ file, port: port2 }, [port2])
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message)
  }

  async terminate(): Promise<void> {
    this.#port.close()
    await this.#exited
  }
}
