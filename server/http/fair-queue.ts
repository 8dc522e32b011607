/** Time one client may use per event-loop tick before its next request is deferred (ms). */
const shareOfTurn = 5
/** A client with more waiting requests rests after each one while others are active. */
const longLine = 20
/** Time after another client's request during which there is contention. */
const othersAskForMs = 1000

interface Line {
  waiting: (() => void)[]
  restsUntil: number
}

/** Under contention a flood runs one request per tick and a third of the time; alone, it gets its share of each tick. */
export class FairQueue {
  readonly #startedClients = new Set<string>()
  readonly #queues = new Map<string, Line>()
  #tickStartedAt: number | undefined
  #wakeTimer: NodeJS.Timeout | undefined
  #lastClient: string | undefined
  #contendedAt = Number.NEGATIVE_INFINITY

  /** Resolves when the client's request may run; undefined if it may run now. */
  turnOf(who: string): Promise<void> | undefined {
    this.#noteContention(who)
    const line = this.#queues.get(who)
    if (line) return new Promise((resolve) => line.waiting.push(resolve))
    const now = performance.now()
    if (this.#tickStartedAt === undefined) this.#startTick(now)
    else if (this.#startedClients.has(who) && this.#isSpent(now))
      return new Promise((resolve) => this.#queues.set(who, { waiting: [resolve], restsUntil: 0 }))
    this.#startedClients.add(who)
    return undefined
  }

  #noteContention(who: string): void {
    if (this.#lastClient === who) return
    if (this.#lastClient !== undefined) this.#contendedAt = performance.now()
    this.#lastClient = who
  }

  #startTick(now: number): void {
    this.#tickStartedAt = now
    setImmediate(() => this.#endTick())
  }

  #endTick(): void {
    const now = performance.now()
    const took = now - (this.#tickStartedAt ?? now)
    if (this.#isContended(now)) this.#restBusyClients(now + 2 * took)
    this.#tickStartedAt = undefined
    this.#startedClients.clear()
    this.#startWaiting(now)
  }

  /** True outside of a tick. */
  #isSpent(now: number): boolean {
    return this.#tickStartedAt === undefined || now - this.#tickStartedAt > shareOfTurn
  }

  #isContended(now: number): boolean {
    return now - this.#contendedAt < othersAskForMs
  }

  #restBusyClients(until: number): void {
    for (const who of this.#startedClients) {
      const line = this.#queues.get(who)
      if (line && line.waiting.length > longLine) line.restsUntil = until
    }
  }

  #startWaiting(now: number): void {
    clearTimeout(this.#wakeTimer)
    if (this.#queues.size === 0) return
    const rests = Math.min(...Array.from(this.#queues.values(), ({ restsUntil }) => restsUntil)) - now
    if (rests > 0) {
      this.#wakeTimer = setTimeout(() => this.#startWaiting(performance.now()), Math.ceil(rests))
      return
    }
    if (this.#tickStartedAt === undefined) this.#startTick(now)
    for (const [who, line] of this.#queues) {
      if (line.restsUntil > now) continue
      this.#startNext(who, line)
      if (!this.#isContended(now)) this.#startMore(who, line)
    }
  }

  #startNext(who: string, line: Line): void {
    line.waiting.shift()?.()
    if (line.waiting.length === 0) this.#queues.delete(who)
    this.#startedClients.add(who)
  }

  #startMore(who: string, line: Line): void {
    const more = () => {
      const now = performance.now()
      if (this.#isSpent(now) || this.#isContended(now) || this.#queues.get(who) !== line) return
      this.#startNext(who, line)
      this.#startMore(who, line)
    }
    // nextTick from a microtask runs after all microtasks: the started request has progressed as far as it can.
    queueMicrotask(() => process.nextTick(more))
  }
}
