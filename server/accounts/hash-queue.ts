import { Problem } from '#server/http/problem.ts'

const longestQueue = 50

export interface Asker {
  address: string
  /** A wrong password came from this address recently. Only matters under load. */
  isSuspected: boolean
}

interface Place {
  go(): void
  refuse(): void
}

/** Waiting hashes by address, served round-robin so that no address crowds out the others. */
type Waiting = Map<string, Place[]>

/** Limits concurrent password hashes; suspected addresses share one extra slot that idles 3 times as long as it works. */
export class HashQueue {
  readonly #concurrency: number
  readonly #trusted: Waiting = new Map()
  readonly #suspected: Waiting = new Map()
  #running = 0
  #suspectedIsBusy = false

  /** @param atOnce concurrent hashes of unsuspected addresses */
  constructor(atOnce: number) {
    this.#concurrency = atOnce
  }

  async inTurn<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    if (asker.isSuspected) return await this.#runSuspected(asker, work)
    if (this.#running >= this.#concurrency) await this.#waitForTurn(asker)
    else this.#running += 1
    try {
      return await work()
    } finally {
      const next = nextOf(this.#trusted)
      if (next) next.go()
      else this.#running -= 1
    }
  }

  async #runSuspected<T>(asker: Asker, work: () => Promise<T>): Promise<T> {
    if (this.#suspectedIsBusy) await this.#waitForTurn(asker)
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

  #waitForTurn({ address, isSuspected }: Asker): Promise<void> {
    const own = isSuspected ? this.#suspected : this.#trusted
    const waiting = (of: Waiting) => [...of.values()].reduce((sum, places) => sum + places.length, 0)
    if (waiting(this.#trusted) + waiting(this.#suspected) >= longestQueue)
      this.#evict(isSuspected, own.get(address)?.length ?? 0)
    return new Promise((resolve, reject) => {
      own.set(address, [...(own.get(address) ?? []), { go: resolve, refuse: () => reject(tooMany()) }])
    })
  }

  /** @throws Problem `too-many` if no other entry can be evicted */
  #evict(isSuspected: boolean, waitAlready: number): void {
    const from = this.#suspected.size > 0 ? this.#suspected : this.#trusted
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

/** Takes the first of the address whose turn it is and moves that address to the end. */
function nextOf(waiting: Waiting): Place | undefined {
  const [address] = waiting.keys()
  if (address === undefined) return undefined
  const [first, ...rest] = waiting.get(address) ?? []
  waiting.delete(address)
  if (rest.length > 0) waiting.set(address, rest)
  return first
}
