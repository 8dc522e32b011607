import { getThreadFile, JobThread } from '#server/threads/job-thread.ts'
import type { ShrinkJob } from './shrink-thread.ts'

const pictureTimeoutMs = 30_000
const idleMs = 20_000
const maxWaiting = 32

/** Shrinks one picture at a time, because each can take much memory. A failure ends the thread; the next job starts one. */
class PictureShrinker {
  #thread: JobThread<ShrinkJob, Uint8Array | undefined> | undefined
  #last: Promise<unknown> = Promise.resolve()
  #waiting = 0

  get isOverloaded(): boolean {
    return this.#waiting >= maxWaiting
  }

  /** @throws for a picture that can't be read, takes too long or is stopped by the signal */
  async shrink(job: ShrinkJob, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    this.#waiting += 1
    const running = this.#last.then(() => this.#run(job, signal))
    this.#last = running.catch(() => undefined)
    try {
      return await running
    } finally {
      this.#waiting -= 1
      if (this.#waiting === 0) this.#thread?.endWhenIdle(idleMs)
    }
  }

  async #run(job: ShrinkJob, signal?: AbortSignal): Promise<Uint8Array | undefined> {
    signal?.throwIfAborted()
    if (!this.#thread || this.#thread.hasEnded)
      this.#thread = new JobThread(getThreadFile('shrink-thread', import.meta.url))
    const end = () => void this.#end()
    const timer = setTimeout(end, pictureTimeoutMs)
    signal?.addEventListener('abort', end, { once: true })
    try {
      return await this.#thread.run(job)
    } catch (error) {
      await this.#end()
      throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.end()
  }
}

export const pictureShrinker = new PictureShrinker()
