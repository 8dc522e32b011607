import { AsyncLocalStorage } from 'node:async_hooks'

const asking = new AsyncLocalStorage<string>()

/** What `work` reads for long, now or later, is read for this person. */
export const asPerson = <Result>(personId: string, work: () => Result): Result => asking.run(personId, work)

export interface Places {
  atOnce: number
  /** For one person, and for nobody: what Keeper does by itself. */
  ofOne: number
}

/**
 * Long reads go on side by side, but of one person only so many: who searches a million rows without a pause waits for
 * himself, and nobody else for him.
 */
export class LongReads {
  readonly #places: Places
  readonly #underWay = new Map<string, number>()
  #waiting: { who: string; begin: () => void }[] = []
  #count = 0

  constructor(places: Places) {
    this.#places = places
  }

  async inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const who = asking.getStore() ?? ''
    if (this.#hasPlace(who)) this.#take(who)
    else await new Promise<void>((resolve) => this.#waiting.push({ who, begin: resolve }))
    try {
      return await work()
    } finally {
      this.#leave(who)
    }
  }

  #hasPlace(who: string): boolean {
    return this.#count < this.#places.atOnce && (this.#underWay.get(who) ?? 0) < this.#places.ofOne
  }

  #take(who: string): void {
    this.#count += 1
    this.#underWay.set(who, (this.#underWay.get(who) ?? 0) + 1)
  }

  #leave(who: string): void {
    this.#count -= 1
    const left = (this.#underWay.get(who) ?? 1) - 1
    if (left === 0) this.#underWay.delete(who)
    else this.#underWay.set(who, left)
    const at = this.#waiting.findIndex((each) => this.#hasPlace(each.who))
    const [next] = at === -1 ? [] : this.#waiting.splice(at, 1)
    if (!next) return
    this.#take(next.who)
    next.begin()
  }
}
