import { Problem } from '#server/http/problem.ts'

const longestQueue = 50

/** Who has a password counted. */
export interface Asker {
  address: string
  /** A wrong password came from there lately. It only tells while more is asked than can be counted. */
  isSuspected: boolean
}

interface Place {
  go(): void
  refuse(): void
}

/** By address, which have their turns one after the other: who asks most does not push the rest back. */
type Waiting = Map<string, Place[]>

/**
 * A few hashes at once: each takes a core for tens of milliseconds, and a flood must not stop everything else. Of addresses
 * that are suspected one is counted beside them, with time that others leave, and then rests three times as long as it
 * took, so that a flood has a quarter of a core at most and nobody else waits for it. Where too many wait, the address with
 * the most waiting loses one, a suspected one before any other.
 */
export class HashQueue {
  readonly #atOnce: number
  readonly #calm: Waiting = new Map()
  readonly #suspected: Waiting = new Map()
  #running = 0
  /** One is counted, or rests. */
  #suspectedIsBusy = false

  /** `atOnce` of addresses that are not suspected. */
  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  async inTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    if (asker.isSuspected) return await this.#suspectedInTurn(asker, work)
    if (this.#running >= this.#atOnce) await this.#turnOf(asker)
    else this.#running += 1
    try {
      return await work()
    } finally {
      const next = nextOf(this.#calm)
      if (next) next.go()
      else this.#running -= 1
    }
  }

  async #suspectedInTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    if (this.#suspectedIsBusy) await this.#turnOf(asker)
    else this.#suspectedIsBusy = true
    const began = performance.now()
    try {
      return await work()
    } finally {
      setTimeout(
        () => {
          const next = nextOf(this.#suspected)
          if (next) next.go()
          else this.#suspectedIsBusy = false
        },
        3 * (performance.now() - began),
      )
    }
  }

  #turnOf({ address, isSuspected }: Asker): Promise<void> {
    const own = isSuspected ? this.#suspected : this.#calm
    const waiting = (of: Waiting) => [...of.values()].reduce((sum, places) => sum + places.length, 0)
    if (waiting(this.#calm) + waiting(this.#suspected) >= longestQueue)
      this.#makeRoom(isSuspected, own.get(address)?.length ?? 0)
    return new Promise((resolve, reject) => {
      own.set(address, [...(own.get(address) ?? []), { go: resolve, refuse: () => reject(tooMany()) }])
    })
  }

  /** @throws Problem `too-many` when nobody gives way */
  #makeRoom(isSuspected: boolean, waitAlready: number): void {
    const from = this.#suspected.size > 0 ? this.#suspected : this.#calm
    const [address, places] = longestOf(from)
    const givesWay = from === this.#suspected && !isSuspected
    const isEqual = isSuspected === (from === this.#suspected)
    if (!givesWay && !(isEqual && places.length > waitAlready + 1)) throw tooMany()
    places.pop()?.refuse()
    if (places.length === 0) from.delete(address)
  }
}

const tooMany = () => new Problem('too-many', { retryAfterSeconds: 5 })

function longestOf(waiting: Waiting): [string, Place[]] {
  return [...waiting].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? ['', []]
}

/** The first of the address whose turn it is, which then waits behind the others. */
function nextOf(waiting: Waiting): Place | undefined {
  const [address] = waiting.keys()
  if (address === undefined) return undefined
  const [first, ...rest] = waiting.get(address) ?? []
  waiting.delete(address)
  if (rest.length > 0) waiting.set(address, rest)
  return first
}
