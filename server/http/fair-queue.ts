/** Once an event-loop tick has taken this long (ms), a client that already started a request in it waits. */
const tickShareMs = 5
/** While others are active, a client with more waiting requests than this rests after each request it starts. */
const maxUnpausedLength = 20
const contentionWindowMs = 1000

interface ClientQueue {
  waiting: (() => void)[]
  restsUntil: number
}

/**
 * While others are active, a client that floods the server starts one request per tick and gets a third of the time,
 * because it rests twice as long as each tick took. Alone, it starts requests for `tickShareMs` of each tick.
 */
export class FairQueue {
  readonly #startedClients = new Set<string>()
  readonly #queues = new Map<string, ClientQueue>()
  #tickStartedAt: number | undefined
  #wakeTimer: NodeJS.Timeout | undefined
  #lastClient: string | undefined
  #contendedAt = Number.NEGATIVE_INFINITY

  waitToStart(client: string): Promise<void> | undefined {
    this.#recordContention(client)
    const queue = this.#queues.get(client)
    if (queue) return new Promise((resolve) => queue.waiting.push(resolve))
    const now = performance.now()
    if (this.#tickStartedAt === undefined) this.#startTick(now)
    else if (this.#startedClients.has(client) && this.#isTickSpent(now))
      return new Promise((resolve) => this.#queues.set(client, { waiting: [resolve], restsUntil: 0 }))
    this.#startedClients.add(client)
    return undefined
  }

  #recordContention(client: string): void {
    if (this.#lastClient === client) return
    if (this.#lastClient !== undefined) this.#contendedAt = performance.now()
    this.#lastClient = client
  }

  #startTick(now: number): void {
    this.#tickStartedAt = now
    setImmediate(() => this.#endTick())
  }

  #endTick(): void {
    const now = performance.now()
    const elapsedMs = now - (this.#tickStartedAt ?? now)
    if (this.#isContended(now)) this.#restBusyClients(now + 2 * elapsedMs)
    this.#tickStartedAt = undefined
    this.#startedClients.clear()
    this.#startWaiting(now)
  }

  #isTickSpent(now: number): boolean {
    return this.#tickStartedAt === undefined || now - this.#tickStartedAt > tickShareMs
  }

  #isContended(now: number): boolean {
    return now - this.#contendedAt < contentionWindowMs
  }

  #restBusyClients(until: number): void {
    for (const client of this.#startedClients) {
      const queue = this.#queues.get(client)
      if (queue && queue.waiting.length > maxUnpausedLength) queue.restsUntil = until
    }
  }

  #startWaiting(now: number): void {
    clearTimeout(this.#wakeTimer)
    if (this.#queues.size === 0) return
    const pauseMs = Math.min(...Array.from(this.#queues.values(), ({ restsUntil }) => restsUntil)) - now
    if (pauseMs > 0) {
      this.#wakeTimer = setTimeout(() => this.#startWaiting(performance.now()), Math.ceil(pauseMs))
      return
    }
    if (this.#tickStartedAt === undefined) this.#startTick(now)
    for (const [client, queue] of this.#queues) {
      if (queue.restsUntil > now) continue
      this.#startNext(client, queue)
      if (!this.#isContended(now)) this.#startMore(client, queue)
    }
  }

  #startNext(client: string, queue: ClientQueue): void {
    queue.waiting.shift()?.()
    if (queue.waiting.length === 0) this.#queues.delete(client)
    this.#startedClients.add(client)
  }

  #startMore(client: string, queue: ClientQueue): void {
    const startAnother = () => {
      const now = performance.now()
      if (this.#isTickSpent(now) || this.#isContended(now) || this.#queues.get(client) !== queue) return
      this.#startNext(client, queue)
      this.#startMore(client, queue)
    }
    // nextTick from a microtask runs after all microtasks: the started request has progressed as far as it can.
    queueMicrotask(() => process.nextTick(startAnother))
  }
}
