import { Worker } from 'node:worker_threads'
import type { ScannerJob, ScannerMessage, ScannerReply } from './card-scanner.ts'

/** Beside this file both as source and in the bundle. */
const file = new URL(`./card-scanner${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url)

interface Waiting {
  resolve(reply: ScannerReply): void
  reject(error: Error): void
}

/** The thread that compares vectors, so that no scan holds up the requests of others. It keeps no process alive. */
export class ScannerThread {
  readonly #worker = new Worker(file, { env: {} })
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #gone: Error | undefined

  constructor() {
    this.#worker.unref()
    this.#worker.on('message', (reply: ScannerReply) => {
      const waiting = this.#take(reply.id)
      if (reply.error === undefined) waiting?.resolve(reply)
      else waiting?.reject(new Error(reply.error))
    })
    this.#worker.on('error', (error) => this.#failAll(error))
    this.#worker.on('exit', () => this.#failAll(new Error('The thread that compares cards ended')))
  }

  get isGone(): boolean {
    return this.#gone !== undefined
  }

  ask(job: ScannerJob): Promise<ScannerReply> {
    if (this.#gone) return Promise.reject(this.#gone)
    const { promise, resolve, reject } = Promise.withResolvers<ScannerReply>()
    const id = ++this.#lastId
    this.#waiting.set(id, { resolve, reject })
    // While somebody waits for it, the process must not end.
    this.#worker.ref()
    this.#worker.postMessage({ id, job } satisfies ScannerMessage)
    return promise
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #take(id: number): Waiting | undefined {
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
