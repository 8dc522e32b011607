import { AsyncLocalStorage } from 'node:async_hooks'

const currentReader = new AsyncLocalStorage<string>()

export const runAsPerson = <Result>(personId: string, work: () => Result): Result => currentReader.run(personId, work)

export interface LongReadLimits {
  concurrency: number
  perPerson: number
  /** For all heavy readers together; less than `concurrency`, so others find a free slot. */
  heavy: number
}

/** Recent read time (ms) above which a reader counts as heavy. It halves every `halfLifeMs`. */
const heavyReaderMs = 1_000
const halfLifeMs = 5_000
/** A reader counts as present for this long after a read. */
const presenceTimeoutMs = 1_000

interface Reader {
  running: number
  readMs: number
  lastReadAt: number
}

/** `heavy`: by a person who read a lot in the last seconds. */
export type ReadLoad = 'light' | 'heavy'

interface LongReadSlot {
  readerId: string
  load: ReadLoad
}

/** Limits concurrent long reads per person. While others read, a heavy reader's slot rests after each read as long as the read took. */
export class LongReads {
  readonly #limits: LongReadLimits
  readonly #now: () => number
  readonly #readers = new Map<string, Reader>()
  #waiting: { readerId: string; start: (slot: LongReadSlot) => void }[] = []
  readonly #running = { light: 0, heavy: 0 }

  constructor(limits: LongReadLimits, now = () => performance.now()) {
    this.#limits = limits
    this.#now = now
  }

  async run<Result>(work: (load: ReadLoad) => Promise<Result>): Promise<Result> {
    const readerId = currentReader.getStore() ?? ''
    const slot =
      this.#takeSlot(readerId) ?? (await new Promise<LongReadSlot>((start) => this.#waiting.push({ readerId, start })))
    const startedAt = this.#now()
    try {
      return await work(slot.load)
    } finally {
      this.#releaseSlot(slot, this.#now() - startedAt)
    }
  }

  #takeSlot(readerId: string): LongReadSlot | undefined {
    const { light, heavy } = this.#running
    const reader = this.#readers.get(readerId) ?? { running: 0, readMs: 0, lastReadAt: this.#now() }
    const load = this.#getRecentReadMs(reader) > heavyReaderMs ? 'heavy' : 'light'
    if (light + heavy >= this.#limits.concurrency || reader.running >= this.#limits.perPerson) return undefined
    if (load === 'heavy' && heavy >= this.#limits.heavy) return undefined
    reader.running += 1
    this.#running[load] += 1
    this.#readers.set(readerId, reader)
    return { readerId, load }
  }

  #getRecentReadMs({ readMs, lastReadAt }: Reader): number {
    return readMs * 0.5 ** ((this.#now() - lastReadAt) / halfLifeMs)
  }

  #releaseSlot({ readerId, load }: LongReadSlot, durationMs: number): void {
    const reader = this.#readers.get(readerId)
    if (reader) {
      reader.running -= 1
      Object.assign(reader, { readMs: this.#getRecentReadMs(reader) + durationMs, lastReadAt: this.#now() })
    }
    if (load === 'heavy' && durationMs >= 1 && this.#hasOtherReaders(readerId))
      setTimeout(() => this.#releaseAndStartNext(load), durationMs).unref()
    else this.#releaseAndStartNext(load)
  }

  #hasOtherReaders(readerId: string): boolean {
    const cutoff = this.#now() - presenceTimeoutMs
    return [...this.#readers].some(([other, { lastReadAt }]) => other !== readerId && lastReadAt >= cutoff)
  }

  #releaseAndStartNext(load: ReadLoad): void {
    this.#running[load] -= 1
    this.#forgetIdleReaders()
    for (const [index, { readerId: nextReaderId, start }] of this.#waiting.entries()) {
      const slot = this.#takeSlot(nextReaderId)
      if (!slot) continue
      this.#waiting.splice(index, 1)
      start(slot)
      return
    }
  }

  #forgetIdleReaders(): void {
    const cutoff = this.#now() - presenceTimeoutMs
    for (const [readerId, reader] of this.#readers)
      if (reader.running === 0 && reader.lastReadAt < cutoff && this.#getRecentReadMs(reader) < 1)
        this.#readers.delete(readerId)
  }
}
