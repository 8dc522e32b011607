import { Problem } from '#server/http/problem.ts'

const maxQueueLength = 50
/** Idle time of the slot for suspected addresses, as a multiple of its last working time. */
const suspectedIdleRatio = 3

export interface HashClient {
  address: string
  /** A wrong password came from this address recently. Only matters under load. */
  isSuspected: boolean
}

interface WaitingHash {
  start(): void
  reject(): void
}

type HashQueues = Map<string, WaitingHash[]>

/** Limits concurrent password hashes. Suspected addresses share one extra slot, which mostly idles. */
export class HashQueue {
  readonly #concurrency: number
  readonly #trusted: HashQueues = new Map()
  readonly #suspected: HashQueues = new Map()
  #runningCount = 0
  #isSuspectedSlotBusy = false

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  async run<T>(client: HashClient, work: () => Promise<T>): Promise<T> {
    if (client.isSuspected) return await this.#runSuspected(client, work)
    if (this.#runningCount >= this.#concurrency) await this.#waitToStart(client)
    else this.#runningCount += 1
    try {
      return await work()
    } finally {
      const next = takeNext(this.#trusted)
      if (next) next.start()
      else this.#runningCount -= 1
    }
  }

  async #runSuspected<T>(client: HashClient, work: () => Promise<T>): Promise<T> {
    if (this.#isSuspectedSlotBusy) await this.#waitToStart(client)
    else this.#isSuspectedSlotBusy = true
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      setTimeout(
        () => {
          const next = takeNext(this.#suspected)
          if (next) next.start()
          else this.#isSuspectedSlotBusy = false
        },
        suspectedIdleRatio * (performance.now() - startedAt),
      )
    }
  }

  #waitToStart({ address, isSuspected }: HashClient): Promise<void> {
    const clientQueues = isSuspected ? this.#suspected : this.#trusted
    const countWaiting = (queues: HashQueues) =>
      [...queues.values()].reduce((total, waitingHashes) => total + waitingHashes.length, 0)
    if (countWaiting(this.#trusted) + countWaiting(this.#suspected) >= maxQueueLength)
      this.#evict(isSuspected, clientQueues.get(address)?.length ?? 0)
    return new Promise((resolve, reject) => {
      clientQueues.set(address, [
        ...(clientQueues.get(address) ?? []),
        { start: resolve, reject: () => reject(createTooManyProblem()) },
      ])
    })
  }

  /** @throws Problem `too-many` if no other entry can be evicted */
  #evict(isSuspected: boolean, waitingCount: number): void {
    const evictsSuspected = this.#suspected.size > 0
    const queues = evictsSuspected ? this.#suspected : this.#trusted
    const [address, waitingHashes] = findLongestQueue(queues)
    const isTrustedOverSuspected = evictsSuspected && !isSuspected
    const isSuspectedOverTrusted = isSuspected && !evictsSuspected
    const hasFewerWaiting = waitingCount + 1 < waitingHashes.length
    const canEvict = isTrustedOverSuspected || (hasFewerWaiting && !isSuspectedOverTrusted)
    if (!canEvict) throw createTooManyProblem()
    waitingHashes.pop()?.reject()
    if (waitingHashes.length === 0) queues.delete(address)
  }
}

const createTooManyProblem = () => new Problem('too-many', { retryAfterSeconds: 5 })

function findLongestQueue(queues: HashQueues): [string, WaitingHash[]] {
  return [...queues].toSorted(([, a], [, b]) => b.length - a.length)[0] ?? ['', []]
}

function takeNext(queues: HashQueues): WaitingHash | undefined {
  const [address] = queues.keys()
  if (address === undefined) return undefined
  const [first, ...remaining] = queues.get(address) ?? []
  queues.delete(address)
  if (remaining.length > 0) queues.set(address, remaining)
  return first
}
