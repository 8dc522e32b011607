import { AsyncLocalStorage } from 'node:async_hooks'

const asking = new AsyncLocalStorage<string>()

export const asPerson = <Result>(personId: string, work: () => Result): Result => asking.run(personId, work)

export interface Places {
  atOnce: number
  /** Per person, and for Keeper's own background work. */
  ofOne: number
  /** For all heavy readers together; less than `concurrency`, so others find a free slot. */
  ofMany: number
}

/** Recent read time (ms) above which a reader counts as heavy. It halves every `halfLifeMs`. */
const pauselessMs = 1_000
const halfLifeMs = 5_000
/** Readers active within this many ms count as present. */
const lately = 1_000

interface Reader {
  underWay: number
  readMs: number
  at: number
}

interface Place {
  who: string
  reads: 'few' | 'many'
}

/** Limits concurrent long reads per person. While others read, a heavy reader's slot rests after each read as long as the read took. */
export class LongReads {
  readonly #limits: Places
  readonly #now: () => number
  readonly #readers = new Map<string, Reader>()
  #waiting: { who: string; begin: (place: Place) => void }[] = []
  readonly #running = { few: 0, many: 0 }

  constructor(places: Places, now = () => performance.now()) {
    this.#limits = places
    this.#now = now
  }

  /** `work` receives `many` for a heavy reader, else `few`. */
  async inTurn<Result>(work: (reads: 'few' | 'many') => Promise<Result>): Promise<Result> {
    const who = asking.getStore() ?? ''
    const place = this.#takeSlot(who) ?? (await new Promise<Place>((begin) => this.#waiting.push({ who, begin })))
    const began = this.#now()
    try {
      return await work(place.reads)
    } finally {
      this.#releaseSlot(place, this.#now() - began)
    }
  }

  #takeSlot(who: string): Place | undefined {
    const { few, many } = this.#running
    const reader = this.#readers.get(who) ?? { underWay: 0, readMs: 0, at: this.#now() }
    const reads = this.#getRecentReadMs(reader) > pauselessMs ? 'many' : 'few'
    if (few + many >= this.#limits.atOnce || reader.underWay >= this.#limits.ofOne) return undefined
    if (reads === 'many' && many >= this.#limits.ofMany) return undefined
    reader.underWay += 1
    this.#running[reads] += 1
    this.#readers.set(who, reader)
    return { who, reads }
  }

  #getRecentReadMs({ readMs, at }: Reader): number {
    return readMs * 0.5 ** ((this.#now() - at) / halfLifeMs)
  }

  #releaseSlot({ who, reads }: Place, tookMs: number): void {
    const reader = this.#readers.get(who)
    if (reader) {
      reader.underWay -= 1
      Object.assign(reader, { readMs: this.#getRecentReadMs(reader) + tookMs, at: this.#now() })
    }
    if (reads === 'many' && tookMs >= 1 && this.#hasOtherReaders(who))
      setTimeout(() => this.#releaseAndStartNext(reads), tookMs).unref()
    else this.#releaseAndStartNext(reads)
  }

  #hasOtherReaders(who: string): boolean {
    const since = this.#now() - lately
    return [...this.#readers].some(([other, { at }]) => other !== who && at >= since)
  }

  #releaseAndStartNext(reads: 'few' | 'many'): void {
    this.#running[reads] -= 1
    this.#forgetIdleReaders()
    for (const [at, { who: next, begin }] of this.#waiting.entries()) {
      const place = this.#takeSlot(next)
      if (!place) continue
      this.#waiting.splice(at, 1)
      begin(place)
      return
    }
  }

  #forgetIdleReaders(): void {
    const since = this.#now() - lately
    for (const [who, reader] of this.#readers)
      if (reader.underWay === 0 && reader.at < since && this.#getRecentReadMs(reader) < 1) this.#readers.delete(who)
  }
}
