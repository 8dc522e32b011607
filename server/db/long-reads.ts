import { AsyncLocalStorage } from 'node:async_hooks'

const asking = new AsyncLocalStorage<string>()

/** What `work` reads for long, now or later, is read for this person. */
export const asPerson = <Result>(personId: string, work: () => Result): Result => asking.run(personId, work)

export interface Places {
  atOnce: number
  /** For one person, and for nobody: what Keeper does by itself. */
  ofOne: number
  /** For all together who read without a pause; less than `atOnce`, so that the others find one free. */
  ofMany: number
}

/** Who was read for so long lately, in milliseconds, reads without a pause. What was read counts half after each `halfLifeMs`. */
const pauselessMs = 1_000
const halfLifeMs = 5_000
/** Who read within so many milliseconds is there. */
const lately = 1_000

interface Reader {
  underWay: number
  /** Milliseconds read for them, as they counted at `at`. */
  readMs: number
  at: number
}

interface Place {
  who: string
  reads: 'few' | 'many'
}

/**
 * Long reads go on side by side, but of one person only so many: who searches a million rows without a pause waits for
 * himself, and nobody else for him. While others read, each of his is followed by a rest as long.
 */
export class LongReads {
  readonly #places: Places
  readonly #now: () => number
  readonly #readers = new Map<string, Reader>()
  #waiting: { who: string; begin: (place: Place) => void }[] = []
  readonly #underWay = { few: 0, many: 0 }

  /** `now` in milliseconds from any beginning. */
  constructor(places: Places, now = () => performance.now()) {
    this.#places = places
    this.#now = now
  }

  /** `work` is told whether it is for somebody who reads `many` without a pause. */
  async inTurn<Result>(work: (reads: 'few' | 'many') => Promise<Result>): Promise<Result> {
    const who = asking.getStore() ?? ''
    const place = this.#placeFor(who) ?? (await new Promise<Place>((begin) => this.#waiting.push({ who, begin })))
    const began = this.#now()
    try {
      return await work(place.reads)
    } finally {
      this.#leave(place, this.#now() - began)
    }
  }

  /** Takes the place. */
  #placeFor(who: string): Place | undefined {
    const { few, many } = this.#underWay
    const reader = this.#readers.get(who) ?? { underWay: 0, readMs: 0, at: this.#now() }
    const reads = this.#readLately(reader) > pauselessMs ? 'many' : 'few'
    if (few + many >= this.#places.atOnce || reader.underWay >= this.#places.ofOne) return undefined
    if (reads === 'many' && many >= this.#places.ofMany) return undefined
    reader.underWay += 1
    this.#underWay[reads] += 1
    this.#readers.set(who, reader)
    return { who, reads }
  }

  #readLately({ readMs, at }: Reader): number {
    return readMs * 0.5 ** ((this.#now() - at) / halfLifeMs)
  }

  #leave({ who, reads }: Place, tookMs: number): void {
    const reader = this.#readers.get(who)
    if (reader) {
      reader.underWay -= 1
      Object.assign(reader, { readMs: this.#readLately(reader) + tookMs, at: this.#now() })
    }
    if (reads === 'many' && tookMs >= 1 && this.#othersRead(who)) setTimeout(() => this.#free(reads), tookMs).unref()
    else this.#free(reads)
  }

  #othersRead(who: string): boolean {
    const since = this.#now() - lately
    return [...this.#readers].some(([other, { at }]) => other !== who && at >= since)
  }

  #free(reads: 'few' | 'many'): void {
    this.#underWay[reads] -= 1
    this.#forgetWhoRests()
    for (const [at, { who: next, begin }] of this.#waiting.entries()) {
      const place = this.#placeFor(next)
      if (!place) continue
      this.#waiting.splice(at, 1)
      begin(place)
      return
    }
  }

  #forgetWhoRests(): void {
    const since = this.#now() - lately
    for (const [who, reader] of this.#readers)
      if (reader.underWay === 0 && reader.at < since && this.#readLately(reader) < 1) this.#readers.delete(who)
  }
}
